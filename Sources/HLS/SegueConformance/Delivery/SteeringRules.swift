internal import SeguePlaylists

/// The rules on what a steering server says.
enum SteeringRules {
    static let all: [Check<MultivariantSubject>] = [manifest, clone]

    private static let idLetters = Letters("A-Za-z0-9._-")

    /// The pathways of a playlist; a variant that names none is of the one that is called by a point.
    private static func pathways(_ subject: MultivariantSubject) -> Set<String> {
        Set(subject.playlist.variants.map { $0.pathwayID ?? "." })
    }

    private static func clones(_ json: JSONValue) -> [JSONValue] { json["PATHWAY-CLONES"]?.elements ?? [] }

    /// Who steers says where to.
    static let manifest = Check<MultivariantSubject>(
        Rule(
            "steering-manifest",
            "B7.2CS",
            .must,
            "a steering manifest is JSON of VERSION 1 with TTL, and with pathways that there are, each once"
        )
    ) { subject in
        guard let facts = subject.steering else { return [] }
        return trouble(facts, pathways(subject)).map { [Violation(Place(url: facts.url), $0)] } ?? []
    }

    private static func trouble(_ facts: SteeringFacts, _ pathways: Set<String>) -> String? {
        if let failure = facts.failure { return "there is none: \(failure)" }
        guard let json = JSONValue(String(decoding: facts.bytes, as: UTF8.self)), case .object = json else {
            return "it is no object of JSON"
        }
        guard json["VERSION"] == .number(1) else {
            return json["VERSION"] == nil ? "it has no VERSION" : "its VERSION is not 1"
        }
        guard json["TTL"]?.seconds ?? 0 > 0 else { return "it has no TTL in seconds" }
        guard let listed = json["PATHWAY-PRIORITY"]?.elements, !listed.isEmpty else {
            return "it has no PATHWAY-PRIORITY"
        }
        let ids = listed.compactMap(\.text)
        if let odd = ids.first(where: { !$0.isAll(of: idLetters) }) {
            return "PATHWAY-PRIORITY has \(odd.prefix(40).debugDescription)"
        }
        guard ids.count == listed.count else { return "PATHWAY-PRIORITY has what is no name" }
        guard Set(ids).count == ids.count else { return "PATHWAY-PRIORITY has a pathway twice" }
        // One manifest may serve several playlists, and players pass over what they do not know.
        let known = pathways.union(clones(json).compactMap { $0["ID"]?.text })
        return ids.contains(where: known.contains) ? nil : "there is no pathway of PATHWAY-PRIORITY"
    }

    /// A clone is of something, and leads to something.
    static let clone = Check<MultivariantSubject>(
        Rule(
            "steering-clone",
            "B7.3CS",
            .must,
            "a clone has a name of its own, a pathway that it is of, and addresses where there is something"
        )
    ) { subject in
        guard let facts = subject.steering, facts.failure == nil,
            let json = JSONValue(String(decoding: facts.bytes, as: UTF8.self))
        else { return [] }
        var known = pathways(subject)
        let troubles = clones(json).compactMap { clone -> String? in
            guard let id = clone["ID"]?.text, let base = clone["BASE-ID"]?.text,
                case .object? = clone["URI-REPLACEMENT"]
            else { return "a clone lacks ID, BASE-ID or URI-REPLACEMENT" }
            let shown = id.prefix(40).debugDescription
            guard id.isAll(of: idLetters) else { return "a clone is called \(shown)" }
            guard known.contains(base) else { return "the clone \(shown) is of no pathway" }
            return known.insert(id).inserted ? nil : "there is a pathway \(shown) besides the clone"
        }
        let unserved = facts.clones.compactMap { clone in
            clone.failure.map {
                "the clone \(clone.id.prefix(40).debugDescription) has no playlist at \(clone.url): \($0)"
            }
        }
        return (troubles + unserved).map { Violation(Place(url: facts.url), $0) }
    }
}
