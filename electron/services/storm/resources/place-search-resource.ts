// Place search by the host's provider, under the contract's fixed provider name.
import { placeProviderId, type PlaceSearchResponse } from "../../../../shared/contract/place.ts";
import { createJsonAnswer } from "../../http/answer.ts";
import type { Handler } from "../request-input.ts";
import type { PlaceProvider } from "../places/place-provider.ts";

export function createPlaceSearch(places: PlaceProvider): Handler<"searchPlaces"> {
  return async ({ q }) => {
    const found = await places.search(q);
    const response: PlaceSearchResponse = {
      attribution: found.attribution,
      provider: placeProviderId,
      results: found.results.map((place) => ({ ...place, provider: placeProviderId })),
    };
    return createJsonAnswer(response);
  };
}
