// Import this before anything is parsed, in the page and in each worker. The content security policy forbids code
// made from strings; the schema library would try it otherwise, and the browser would report it.
import * as z from "zod";

z.config({ jitless: true });
