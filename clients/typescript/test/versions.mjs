/** Print what the tests run with. */

import { readFileSync } from "node:fs"

const versionOf = (name) => JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8")).version

console.log(`Tested with Node ${process.versions.node}; ai ${["ai-5", "ai-6", "ai"].map(versionOf).join(", ")}; @mastra/core ${versionOf("@mastra/core")}`)
