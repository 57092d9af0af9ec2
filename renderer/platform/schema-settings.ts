// To be imported before anything is parsed, in the page and in each worker: the content security policy allows no code made from
// strings, which the schema library would else try, and the browser report.
import * as z from "zod";

z.config({ jitless: true });
