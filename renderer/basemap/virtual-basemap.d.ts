// What the basemap plugin (build/plugin.ts) provides: addresses of GeoJSON files of this origin.
declare module "virtual:basemap" {
  export const landUrl: string;
  export const bordersUrl: string;
  export const countiesUrl: string;
  export const placesUrl: string;
}
