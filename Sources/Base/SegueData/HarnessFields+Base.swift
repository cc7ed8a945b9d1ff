internal import Yams

extension HarnessFields {
    /// Adds the keys of a base that this mapping lacks, section by section.
    ///
    /// A mapping with a `value` is a field and is added as a whole; any other mapping is a section, whose keys are
    /// added one by one.
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

    /// Merges a section with that of a base; nil if either is not a section.
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
