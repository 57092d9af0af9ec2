// The module that electron/build/basemap provides: addresses of GeoJSON files on this origin.
declare module "virtual:basemap" {
  export const landUrl: string;
  export const countiesUrl: string;
  export const placesUrl: string;
  export const countyNamesUrl: string;
  export const warningAreasUrl: string;
  export const highwaysUrl: string;
  export const sitesUrl: string;
}
