// Objects and blobs in a bucket of Ceph's gateway.
import { cephGateway } from "../../../support/engines/ceph-gateway.ts";
import { testBucketOf } from "../support/bucket-contract.ts";

testBucketOf(cephGateway);
