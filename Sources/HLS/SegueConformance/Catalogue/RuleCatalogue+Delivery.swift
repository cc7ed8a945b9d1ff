extension RuleCatalogue {
    /// The names of the rules on how HTTP delivers, whatever it is that it delivers.
    package static let delivery: Set<String> = {
        let ofHTTP = sections.first { $0.title == "HTTP" }?.demands.flatMap(\.rules) ?? []
        let ofContent = ["body-kind", "body-whole", "size-bound", "uri-scheme", "uri-dots", "uri-user"]
        return Set(ofHTTP).subtracting(ofContent).union(["playlist-type", "media-redirected"])
    }()
}
