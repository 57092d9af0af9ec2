// The module that electron/build/basemap provides: addresses of GeoJSON files on this origin.
declare module "virtual:basemap" {
  export const landUrl: string;
  export const bordersUrl: string;
  export const countiesUrl: string;
  export const placesUrl: string;
}
