internal import Yams

extension HarnessFields {
    /// Takes in what a base has and this mapping has not, section by section.
    ///
    /// A mapping with a `value` is a field and is taken whole; any other is a section, whose keys are taken one by one.
    mutating func fill(from base: HarnessFields) {
        for (key, node) in base.left {
            guard let own = left[key] else {
                left[key] = node
                lines[key] = base.lines[key]
                origins[key] = base.origins[key] ?? base.file
                continue
            }
            if let merged = HarnessFields.merged(own, over: node) { left[key] = merged }
        }
    }

    /// A section with what a base has and it has not; nil where either is no section.
    private static func merged(_ own: Node, over base: Node) -> Node? {
        guard case .mapping(var mapping) = own, case .mapping(let inherited) = base else { return nil }
        guard mapping["value"] == nil, inherited["value"] == nil else { return nil }
        for (key, node) in inherited {
            guard let present = mapping[key] else {
                mapping[key] = node
                continue
            }
            if let deeper = merged(present, over: node) { mapping[key] = deeper }
        }
        return .mapping(mapping)
    }
}
