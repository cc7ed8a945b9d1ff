package import SegueConformance
package import SegueData

/// Reads waiver files; `Harness/waivers/README.md` describes their keys.
package enum WaiverFile {
    /// The waivers of a file in order.
    ///
    /// - Throws: ``HarnessError`` for the first error, with file, line, and key.
    package static func waivers(ofFileAt path: String) throws(HarnessError) -> [Waiver] {
        var fields = try HarnessFile.fields(ofFileAt: path)
        let list = try fields.list("waivers")
        try fields.finish()
        let known = RuleCatalog.rules.map(\.id)
        var waivers: [Waiver] = []
        for entry in list {
            var fields = entry
            let rule = try fields.requiredText("rule")
            guard known.contains(rule) else {
                throw fields.error("rule", UnknownName(rule, among: known).description)
            }
            let waiver = Waiver(
                rule: rule,
                place: try fields.text("place") ?? "",
                message: try fields.text("message") ?? "",
                reason: try fields.requiredText("reason")
            )
            try fields.finish()
            waivers.append(waiver)
        }
        return waivers
    }
}
