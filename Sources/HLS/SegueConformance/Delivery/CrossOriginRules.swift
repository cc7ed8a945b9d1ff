internal import SegueBase

/// The rules on cross-origin requests (CORS).
///
/// They follow from the Fetch standard, which binds browsers only.
enum CrossOriginRules {
    static let ofResource: [Check<HTTPFacts>] = [value, vary]
    static let ofPresentation: [Check<[HTTPFacts]>] = [everywhere]

    private static let field = "access-control-allow-origin"

    static let value = Check<HTTPFacts>(
        Rule(
            "cors-value",
            in: .delivery,
            clauses: "own",
            .advice,
            requires:
                "Access-Control-Allow-Origin is * or the requesting origin, one value, and not * with credentials",
            fix: "send one value: the request's Origin, or * without credentials"
        )
    ) { facts in
        guard facts.get.isThere, let value = facts.get.headers[field] else { return [] }
        if value.contains(",") || value.contains(" ") {
            return HTTPRules.at(facts, "Access-Control-Allow-Origin has several values: \(value.debugDescription)")
        }
        if value == "*" {
            let isOpen = facts.get.headers["access-control-allow-credentials"]?.lowercased() == "true"
            return isOpen
                ? HTTPRules.at(facts, "Access-Control-Allow-Origin is * beside Access-Control-Allow-Credentials: true")
                : []
        }
        guard let origin = facts.origin, value != origin else { return [] }
        return HTTPRules.at(facts, "Access-Control-Allow-Origin is \(value.debugDescription), the origin is \(origin)")
    }

    static let vary = Check<HTTPFacts>(
        Rule(
            "cors-vary",
            in: .delivery,
            clauses: "H12.5.5",
            .should,
            requires: "an Access-Control-Allow-Origin that names an origin comes with Vary: Origin",
            fix: "add Vary: Origin"
        )
    ) { facts in
        guard facts.get.isThere, let value = facts.get.headers[field], value != "*", value != "null" else { return [] }
        let names = (facts.get.headers["vary"] ?? "").lowercased().split { $0 == "," || $0 == " " }
        return names.contains("origin") || names.contains("*")
            ? [] : HTTPRules.at(facts, "Access-Control-Allow-Origin is \(value) without Vary: Origin")
    }

    static let everywhere = Check<[HTTPFacts]>(
        Rule(
            "cors-everywhere",
            in: .delivery,
            clauses: "own",
            .advice,
            requires:
                "every response of a presentation has Access-Control-Allow-Origin, errors and repeated requests included",
            fix:
                "add the header for all paths and statuses, in the CDN also; nginx: add_header Access-Control-Allow-Origin * always; pages of the same origin need none"
        )
    ) { all in
        let there = all.filter(\.get.isThere)
        func isOpen(_ response: HTTPAnswer) -> Bool { response.headers[field] != nil }
        let isAnyOpen = there.contains { facts in
            isOpen(facts.get) || facts.preflight.map(isOpen) == true
        }
        guard isAnyOpen else {
            let asked = there.first { $0.origin != nil }
            return asked.map {
                HTTPRules.at($0, "no response has Access-Control-Allow-Origin; pages of other origins cannot play it")
            } ?? []
        }
        return there.flatMap { facts -> [Violation] in
            if !isOpen(facts.get) {
                return HTTPRules.at(facts, "Access-Control-Allow-Origin is missing, other responses have it")
            }
            if let again = facts.again ?? facts.plain, again.isThere, !isOpen(again) {
                return HTTPRules.at(facts, "Access-Control-Allow-Origin is missing from a repeated request")
            }
            guard let missing = facts.missing, missing.status >= 400, !isOpen(missing) else { return [] }
            return HTTPRules.at(
                facts,
                "Access-Control-Allow-Origin is missing from the \(missing.status) for a missing resource"
            )
        }
    }
}
