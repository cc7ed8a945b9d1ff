/// The rules on what the pages of other sites may load.
///
/// They come from the Fetch standard, which tells browsers what to do, and servers nothing.
enum CrossOriginRules {
    static let ofResource: [Check<HTTPFacts>] = [value, vary]
    static let ofPresentation: [Check<[HTTPFacts]>] = [everywhere]

    private static let field = "access-control-allow-origin"

    /// Whom is allowed what can be said once.
    static let value = Check<HTTPFacts>(
        Rule(
            "cors-value",
            "own",
            .advice,
            "Access-Control-Allow-Origin is * or the site that asks, once, and not * together with credentials"
        )
    ) { facts in
        guard facts.get.isThere, let said = facts.get.headers[field] else { return [] }
        if said.contains(",") || said.contains(" ") { return HTTPRules.at(facts, "it is \(said.debugDescription)") }
        if said == "*" {
            let isOpen = facts.get.headers["access-control-allow-credentials"]?.lowercased() == "true"
            return isOpen ? HTTPRules.at(facts, "it is * with Access-Control-Allow-Credentials: true") : []
        }
        guard let origin = facts.origin, said != origin else { return [] }
        return HTTPRules.at(facts, "it is \(said.debugDescription) for \(origin)")
    }

    /// Caches know that it depends.
    static let vary = Check<HTTPFacts>(
        Rule(
            "cors-vary",
            "H12.5.5",
            .should,
            "an Access-Control-Allow-Origin that names a site comes with Vary: Origin"
        )
    ) { facts in
        guard facts.get.isThere, let said = facts.get.headers[field], said != "*", said != "null" else { return [] }
        let names = (facts.get.headers["vary"] ?? "").lowercased().split { $0 == "," || $0 == " " }
        return names.contains("origin") || names.contains("*")
            ? [] : HTTPRules.at(facts, "it names \(said), without Vary")
    }

    /// A page may load all or nothing.
    static let everywhere = Check<[HTTPFacts]>(
        Rule(
            "cors-everywhere",
            "own",
            .advice,
            "all of a presentation has Access-Control-Allow-Origin, each time and errors too, or nothing has"
        )
    ) { all in
        let there = all.filter(\.get.isThere)
        func isOpen(_ answer: HTTPAnswer) -> Bool { answer.headers[field] != nil }
        let isAnyOpen = there.contains { facts in
            isOpen(facts.get) || facts.preflight.map(isOpen) == true
        }
        guard isAnyOpen else { return [] }
        return there.flatMap { facts -> [Violation] in
            if !isOpen(facts.get) { return HTTPRules.at(facts, "it has none, others have") }
            if let again = facts.again ?? facts.plain, again.isThere, !isOpen(again) {
                return HTTPRules.at(facts, "asked for again, it has none")
            }
            guard let missing = facts.missing, missing.status >= 400, !isOpen(missing) else { return [] }
            return HTTPRules.at(facts, "the \(missing.status) for a name that is not there has none")
        }
    }
}
