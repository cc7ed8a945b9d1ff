/// The rules on a presentation's resources together.
enum PresentationRules {
    static let all: [Check<[HTTPFacts]>] = [mixed, token, open]

    /// What begins in secret goes on so.
    static let mixed = Check<[HTTPFacts]>(
        Rule("mixed-content", "own", .advice, "what an https playlist names is https, too: browsers load nothing else")
    ) { all in
        guard let first = all.first, first.url.hasPrefix("https:") else { return [] }
        return all.dropFirst().filter { $0.url.hasPrefix("http:") }.flatMap {
            HTTPRules.at($0, "it is http, the playlist https")
        }
    }

    /// A token goes with all that needs it.
    static let token = Check<[HTTPFacts]>(
        Rule("token-carried", "own", .advice, "URLs have the token that the server wants to see")
    ) { all in
        guard let first = all.first, first.get.isThere, first.url.contains("?") else { return [] }
        return all.dropFirst().filter { isRefusal($0.get) && !$0.url.contains("?") }.flatMap {
            HTTPRules.at($0, "it is refused with \($0.get.status); the playlist's URL has a query, this one has none")
        }
    }

    /// What is guarded is guarded whole.
    static let open = Check<[HTTPFacts]>(
        Rule("open-media", "own", .advice, "segments want the token or the credentials that their playlist wants")
    ) { all in
        guard let first = all.first, let bare = first.bare, isRefusal(bare) else { return [] }
        return all.dropFirst().filter { $0.bare?.isThere == true }.flatMap {
            HTTPRules.at($0, "it comes without them; the playlist is refused with \(bare.status)")
        }
    }

    private static func isRefusal(_ answer: HTTPAnswer) -> Bool { answer.status == 401 || answer.status == 403 }
}
