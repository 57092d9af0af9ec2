// The zone setting: on or off for every request of the zone, on plans that include it.
import { ApiRefusal } from "../../api/api-problems.ts";
import { mayRedirectCrawlers, type Zone } from "../zone.ts";
import type { FeatureSetting, ZoneSettings } from "../settings/zone-settings.ts";
import { controlCodes, notIncluded, type ZoneRequest, type ZoneRouteDraft } from "./zone-route.ts";

const settingName = "redirects_for_ai_training";
const path = "/settings/:name";

export function createSettingDrafts(settings: ZoneSettings): readonly ZoneRouteDraft[] {
  return [
    {
      method: "GET",
      path,
      async handle(request) {
        checkName(request);
        await settings.refresh();
        return { result: toWire(request.zone, settings.setting(request.zone.id)) };
      },
    },
    {
      method: "PATCH",
      path,
      async handle(request) {
        checkName(request);
        const { zone, body, actor } = request;
        if (!mayRedirectCrawlers(zone)) {
          throw notIncluded(
            `Redirects for AI training need the plan pro, business or enterprise; this zone has the plan ${zone.plan}.`,
          );
        }
        return { result: toWire(zone, await settings.setFeature(zone.id, parseValue(body), actor)) };
      },
    },
  ];
}

/** @throws ApiRefusal 400, code 1006 */
function checkName({ params }: ZoneRequest): void {
  if (params.name === settingName) return;
  const message = `Unrecognized zone setting name: only ${settingName} exists here.`;
  throw new ApiRefusal({ status: 400, code: controlCodes.settingUnknown, message });
}

/** @throws ApiRefusal 400, code 1007 */
function parseValue(body: unknown): "on" | "off" {
  const value = typeof body === "object" && body !== null && "value" in body ? body.value : undefined;
  if (value === "on" || value === "off") return value;
  const message = `Invalid value for the zone setting ${settingName}: it must be "on" or "off".`;
  throw new ApiRefusal({ status: 400, code: controlCodes.settingInvalid, message });
}

function toWire(zone: Zone, { value, modifiedOn }: FeatureSetting) {
  return { id: settingName, value, editable: mayRedirectCrawlers(zone), modified_on: modifiedOn };
}
