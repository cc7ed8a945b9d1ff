import SegueData
import SegueNetworkModel
import SegueProxy
import SegueServer

/// The links in a configuration file, under `links`.
enum LinkFile {
    /// - Throws: ``HarnessError`` with the file, line, and key.
    static func plans(at path: String, _ harness: HarnessFolder) throws(HarnessError) -> [LinkPlan] {
        var fields = try HarnessFile.fields(ofFileAt: path)
        var plans: [LinkPlan] = []
        for entry in try fields.list("links") {
            var entry = entry
            let network = try LinkProfile.taken(from: &entry, in: harness)
            let plan = try LinkPlan(&entry, network: network)
            try entry.finish()
            if plans.contains(where: { $0.name == plan.name }) {
                throw entry.error("name", "is \(plan.name), which an earlier link already has")
            }
            plans.append(plan)
        }
        return plans
    }
}
