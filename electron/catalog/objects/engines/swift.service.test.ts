// Objects and blobs in a bucket of OpenStack Swift's S3 layer.
import { swiftServers } from "../../../support/engines/swift-servers.ts";
import { testBucketOf } from "../support/bucket-contract.ts";

testBucketOf(swiftServers);
