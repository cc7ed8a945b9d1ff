internal import SegueBase
internal import SeguePlaylists

/// The rules on content steering manifests.
enum SteeringRules {
    static let all: [Check<MultivariantSubject>] = [manifest, clone]

    private static let idLetters = Letters("A-Za-z0-9._-")

    /// The pathways of a playlist; variants without PATHWAY-ID belong to the pathway `.`.
    private static func pathways(_ subject: MultivariantSubject) -> Set<String> {
        Set(subject.playlist.variants.map { $0.pathwayID ?? "." })
    }

    private static func clones(_ json: JSONValue) -> [JSONValue] { json["PATHWAY-CLONES"]?.elements ?? [] }

    static let manifest = Check<MultivariantSubject>(
        Rule(
            "steering-manifest",
            in: .multivariant,
            clauses: "B7.2CS",
            .must,
            requires:
                "a steering manifest is a JSON object with VERSION 1, a TTL, and existing pathways listed once each",
            fix: "correct the manifest of the steering server"
        )
    ) { subject in
        guard let facts = subject.steering else { return [] }
        return trouble(facts, pathways(subject)).map { [Violation(Place(url: facts.url), $0)] } ?? []
    }

    private static func trouble(_ facts: SteeringFacts, _ pathways: Set<String>) -> Message? {
        if let failure = facts.failure { return "the manifest failed to load: \(failure)" }
        guard let json = JSONValue(String(decoding: facts.bytes, as: UTF8.self)), case .object = json else {
            return "the manifest is not a JSON object"
        }
        guard json["VERSION"] == .number(1) else {
            return json["VERSION"] == nil ? "VERSION is missing" : "VERSION is not 1"
        }
        guard json["TTL"]?.seconds ?? 0 > 0 else { return "TTL in seconds is missing" }
        guard let listed = json["PATHWAY-PRIORITY"]?.elements, !listed.isEmpty else {
            return "PATHWAY-PRIORITY is missing"
        }
        let ids = listed.compactMap(\.text)
        if let odd = ids.first(where: { !$0.isAll(of: idLetters) }) {
            return "PATHWAY-PRIORITY contains \(odd.prefix(40).debugDescription), which is malformed"
        }
        guard ids.count == listed.count else { return "PATHWAY-PRIORITY contains a value that is not a string" }
        guard Set(ids).count == ids.count else { return "PATHWAY-PRIORITY contains a pathway twice" }
        // One manifest may serve several playlists; players ignore unknown pathways.
        let known = pathways.union(clones(json).compactMap { $0["ID"]?.text })
        return ids.contains(where: known.contains) ? nil : "no pathway of PATHWAY-PRIORITY exists"
    }

    static let clone = Check<MultivariantSubject>(
        Rule(
            "steering-clone",
            in: .multivariant,
            clauses: "B7.3CS",
            .must,
            requires: "a pathway clone has a unique ID, an existing BASE-ID, and URIs that resolve",
            fix: "correct the clone, or remove it from PATHWAY-CLONES"
        )
    ) { subject in
        guard let facts = subject.steering, facts.failure == nil,
            let json = JSONValue(String(decoding: facts.bytes, as: UTF8.self))
        else { return [] }
        var known = pathways(subject)
        let troubles = clones(json).compactMap { clone -> Message? in
            guard let id = clone["ID"]?.text, let base = clone["BASE-ID"]?.text,
                case .object? = clone["URI-REPLACEMENT"]
            else { return "a clone lacks ID, BASE-ID or URI-REPLACEMENT" }
            let shown = id.prefix(40).debugDescription
            guard id.isAll(of: idLetters) else { return "the clone ID \(shown) is malformed" }
            guard known.contains(base) else { return "the BASE-ID of clone \(shown) does not exist" }
            return known.insert(id).inserted ? nil : "the ID of clone \(shown) is already a pathway"
        }
        let unloaded = facts.clones.compactMap { clone -> Message? in
            clone.failure.map {
                "the playlist \(value: clone.url) of clone \(clone.id.prefix(40).debugDescription) failed to load: \($0)"
            }
        }
        return (troubles + unloaded).map { Violation(Place(url: facts.url), $0) }
    }
}
