// Why the gateway answered a request as it did. The viewer has words for each, so that the list stands with the contract.

export { reasons, type Reason } from "../../../shared/contract/gateway-reasons.ts";
