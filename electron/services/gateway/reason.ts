// The reasons for the gateway's answers. The list is part of the contract, because the viewer has words for each.

export { reasons, type Reason } from "../../../shared/contract/gateway-reasons.ts";
