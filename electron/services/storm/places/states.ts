// The states, the District of Columbia, Puerto Rico and the island territories: FIPS code, postal code and name.

export interface State {
  /** FIPS 5-2 code, two digits. */
  readonly fips: string;
  readonly name: string;
  readonly postal: string;
}

const rows = [
  ["01", "AL", "Alabama"],
  ["02", "AK", "Alaska"],
  ["04", "AZ", "Arizona"],
  ["05", "AR", "Arkansas"],
  ["06", "CA", "California"],
  ["08", "CO", "Colorado"],
  ["09", "CT", "Connecticut"],
  ["10", "DE", "Delaware"],
  ["11", "DC", "District of Columbia"],
  ["12", "FL", "Florida"],
  ["13", "GA", "Georgia"],
  ["15", "HI", "Hawaii"],
  ["16", "ID", "Idaho"],
  ["17", "IL", "Illinois"],
  ["18", "IN", "Indiana"],
  ["19", "IA", "Iowa"],
  ["20", "KS", "Kansas"],
  ["21", "KY", "Kentucky"],
  ["22", "LA", "Louisiana"],
  ["23", "ME", "Maine"],
  ["24", "MD", "Maryland"],
  ["25", "MA", "Massachusetts"],
  ["26", "MI", "Michigan"],
  ["27", "MN", "Minnesota"],
  ["28", "MS", "Mississippi"],
  ["29", "MO", "Missouri"],
  ["30", "MT", "Montana"],
  ["31", "NE", "Nebraska"],
  ["32", "NV", "Nevada"],
  ["33", "NH", "New Hampshire"],
  ["34", "NJ", "New Jersey"],
  ["35", "NM", "New Mexico"],
  ["36", "NY", "New York"],
  ["37", "NC", "North Carolina"],
  ["38", "ND", "North Dakota"],
  ["39", "OH", "Ohio"],
  ["40", "OK", "Oklahoma"],
  ["41", "OR", "Oregon"],
  ["42", "PA", "Pennsylvania"],
  ["44", "RI", "Rhode Island"],
  ["45", "SC", "South Carolina"],
  ["46", "SD", "South Dakota"],
  ["47", "TN", "Tennessee"],
  ["48", "TX", "Texas"],
  ["49", "UT", "Utah"],
  ["50", "VT", "Vermont"],
  ["51", "VA", "Virginia"],
  ["53", "WA", "Washington"],
  ["54", "WV", "West Virginia"],
  ["55", "WI", "Wisconsin"],
  ["56", "WY", "Wyoming"],
  ["60", "AS", "American Samoa"],
  ["66", "GU", "Guam"],
  ["69", "MP", "Northern Mariana Islands"],
  ["72", "PR", "Puerto Rico"],
  ["78", "VI", "U.S. Virgin Islands"],
] as const;

export const states: readonly State[] = rows.map(([fips, postal, name]) => ({ fips, postal, name }));

const alaskanCensusAreas = new Set([
  "Aleutians West",
  "Bethel",
  "Dillingham",
  "Hoonah-Angoon",
  "Kusilvak",
  "Nome",
  "Prince of Wales-Hyder",
  "Southeast Fairbanks",
  "Valdez-Cordova",
  "Yukon-Koyukuk",
]);

/** States with cities outside any county, whose FIPS codes begin at 510. */
const statesOfIndependentCities = new Set(["24", "29", "32", "51"]);

export function isIndependentCity(countyFips: string): boolean {
  return statesOfIndependentCities.has(countyFips.slice(0, 2)) && Number(countyFips.slice(2)) >= 510;
}

/** Returns the full name of a county or its equivalent: "Cleveland County", "Orleans Parish", "Nome Census Area". */
export function toCountyLabel(countyFips: string, name: string): string {
  if (isIndependentCity(countyFips)) return name;
  switch (countyFips.slice(0, 2)) {
    case "02":
      return `${name} ${alaskanCensusAreas.has(name) ? "Census Area" : "Borough"}`;
    case "22":
      return `${name} Parish`;
    case "72":
      return `${name} Municipio`;
    case "11":
    case "60":
    case "66":
    case "69":
    case "78":
      return name;
    default:
      return `${name} County`;
  }
}
