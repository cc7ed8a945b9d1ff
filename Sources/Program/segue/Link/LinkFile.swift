import SegueData
import SegueNetworkModel
import SegueProxy
import SegueServer

/// Links in a configuration file, under `links`.
enum LinkFile {
    /// The links that a file describes.
    ///
    /// - Throws: ``HarnessError`` with the file, line and key.
    static func plans(at path: String, _ harness: HarnessFolder) throws(HarnessError) -> [LinkPlan] {
        var fields = try HarnessFile.fields(ofFileAt: path)
        var plans: [LinkPlan] = []
        for entry in try fields.list("links") {
            var entry = entry
            let network = try LinkProfile.taken(from: &entry, in: harness)
            let plan = try LinkPlan(&entry, network: network)
            try entry.finish()
            if plans.contains(where: { $0.name == plan.name }) {
                throw entry.error("name", "is \(plan.name), as that of a link before it")
            }
            plans.append(plan)
        }
        return plans
    }
}
