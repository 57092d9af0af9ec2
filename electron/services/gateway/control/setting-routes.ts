// The zone setting: on or off for every request of the zone, on the plans that have it.
import { mayRedirectCrawlers, type Zone } from "../zone.ts";
import type { FeatureSetting, ZoneSettings } from "../settings/zone-settings.ts";
import { notIncluded, settingInvalid, settingUnknown } from "./zone-problems.ts";
import type { ZoneRequest, ZoneRouteDraft } from "./zone-route.ts";

const settingName = "redirects_for_ai_training";
const path = "/settings/:name";

export function createSettingDrafts(settings: ZoneSettings): readonly ZoneRouteDraft[] {
  return [
    {
      method: "GET",
      path,
      handle(request) {
        checkName(request);
        return { result: toWire(request.zone, settings.setting(request.zone.id)) };
      },
    },
    {
      method: "PATCH",
      path,
      handle(request) {
        checkName(request);
        const { zone, body, actor } = request;
        if (!mayRedirectCrawlers(zone)) {
          throw notIncluded(
            `Redirects for AI training need the plan pro, business or enterprise; this zone has the plan ${zone.plan}.`,
          );
        }
        return { result: toWire(zone, settings.setFeature(zone.id, parseValue(body), actor)) };
      },
    },
  ];
}

/** @throws ApiRefusal 400, code 1006 */
function checkName({ params }: ZoneRequest): void {
  if (params.name !== settingName) throw settingUnknown();
}

/** @throws ApiRefusal 400, code 1007 */
function parseValue(body: unknown): "on" | "off" {
  const value = typeof body === "object" && body !== null && "value" in body ? body.value : undefined;
  if (value !== "on" && value !== "off") throw settingInvalid();
  return value;
}

function toWire(zone: Zone, { value, modifiedOn }: FeatureSetting) {
  return { id: settingName, value, editable: mayRedirectCrawlers(zone), modified_on: modifiedOn };
}
