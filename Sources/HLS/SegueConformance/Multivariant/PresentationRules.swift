internal import SegueBase

/// The rules that compare the HTTP responses of a presentation.
enum PresentationRules {
    static let all: [Check<[HTTPFacts]>] = [mixed, token, open]

    static let mixed = Check<[HTTPFacts]>(
        Rule(
            "mixed-content",
            in: .delivery,
            clauses: "own",
            .advice,
            requires: "an https playlist names https resources only; browsers block the others",
            fix: "serve the resource over https"
        )
    ) { all in
        guard let first = all.first, first.url.hasPrefix("https:") else { return [] }
        return all.dropFirst().filter { $0.url.hasPrefix("http:") }.flatMap {
            HTTPRules.at($0, "the URL is http, the playlist is https")
        }
    }

    static let token = Check<[HTTPFacts]>(
        Rule(
            "token-carried",
            in: .delivery,
            clauses: "own",
            .advice,
            requires: "URLs carry the token that the server requires",
            fix: "append the query of the playlist's URL to its URIs"
        )
    ) { all in
        guard let first = all.first, first.get.isThere, first.url.contains("?") else { return [] }
        return all.dropFirst().filter { isRefusal($0.get) && !$0.url.contains("?") }.flatMap {
            HTTPRules.at(
                $0,
                "the server refuses the URL, which has no query, with \($0.get.status); the playlist's URL has a query"
            )
        }
    }

    static let open = Check<[HTTPFacts]>(
        Rule(
            "open-media",
            in: .delivery,
            clauses: "own",
            .advice,
            requires: "segments require the same token or credentials as their playlist",
            fix: "protect the segments"
        )
    ) { all in
        guard let first = all.first, let bare = first.bare, isRefusal(bare) else { return [] }
        return all.dropFirst().filter { $0.bare?.isThere == true }.flatMap {
            HTTPRules.at(
                $0,
                "the resource loads without credentials; the server refuses the playlist with \(bare.status)"
            )
        }
    }

    private static func isRefusal(_ response: HTTPAnswer) -> Bool { response.status == 401 || response.status == 403 }
}
