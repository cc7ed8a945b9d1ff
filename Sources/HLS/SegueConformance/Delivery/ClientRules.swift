package import SegueBase
package import SegueFetch

/// The rules on servers that treat requests for one resource differently.
package enum ClientRules {
    static let ofResource: [Check<HTTPFacts>] = [agents, limited]
    static let ofPresentation: [Check<[HTTPFacts]>] = [first, kept]

    static let agents = Check<HTTPFacts>(
        Rule(
            "user-agent-same",
            in: .delivery,
            clauses: "R6.2.1, B6.2.1",
            .must,
            requires: "the server returns a resource to every player, whatever its User-Agent",
            fix: "correct the rules of the server, CDN, or firewall that depend on User-Agent"
        )
    ) { facts in
        guard facts.get.isThere else { return [] }
        let refused = facts.agents.filter { !$0.value.isThere && $0.value.status != 429 }.sorted { $0.key < $1.key }
        return refused.flatMap { name, answer in
            let result: Message = answer.status == 0 ? answer.failure : "the server returned \(answer.status)"
            return HTTPRules.at(
                facts,
                "\(result) to the User-Agent of \(value: name), and \(facts.get.status) to that of Segue"
            )
        }
    }

    static let limited = Check<HTTPFacts>(
        Rule(
            "rate-limited",
            in: .delivery,
            clauses: "own",
            .advice,
            requires: "the server accepts the requests of a validation without a pause (429, or 503 with Retry-After)",
            fix: "lower --rate, or raise the server's limit for this client"
        )
    ) { facts in
        guard facts.get.refusals > 0 else { return [] }
        let times: Message = facts.get.refusals == 1 ? "once" : "\(facts.get.refusals) times"
        return HTTPRules.at(
            facts,
            "the server refused the request \(times) because of too many requests; "
                + "in the 10 s before, this validation sent \(facts.get.requestsBefore)"
        )
    }

    static let first = Check<[HTTPFacts]>(
        Rule(
            "resolves-first",
            in: .delivery,
            clauses: "R6.2.1, B6.2.1",
            .must,
            requires: "a resource loads with the first request",
            fix: "compare the servers behind the load balancer, and check keep-alive timeouts and connection resets"
        )
    ) { all in
        let failed = all.filter { $0.first != nil }
        guard let example = failed.first, let answer = example.first else { return [] }
        let result: Message = answer.status == 0 ? answer.failure : "the server returned \(answer.status)"
        return HTTPRules.at(
            example,
            "\(failed.count) of \(all.count) resources failed with the first request and loaded with the second, "
                + "such as this one: \(result)"
        )
    }

    /// The rule on persistent connections.
    ///
    /// Source: RFC 9112, 9.5: "A server SHOULD sustain persistent connections, when possible, and allow the underlying
    /// transport's flow-control mechanisms to resolve temporary overloads rather than terminate connections with the
    /// expectation that clients will retry."
    static let kept = Check<[HTTPFacts]>(
        Rule(
            "connections-kept",
            in: .delivery,
            clauses: "HRFC9112-9.5",
            .should,
            requires: "the server answers requests on a connection that it has kept open",
            fix: "raise the keep-alive timeout above the clients' pauses, or send Connection: close; "
                + "nginx: keepalive_timeout, keepalive_requests"
        )
    ) { all in
        let use = all.reduce(into: ConnectionUse()) { $0.add($1.connection) }
        guard use.isUnreliable, let example = all.first(where: { $0.connection.lost > 0 }) else { return [] }
        return HTTPRules.at(example, lost(use))
    }

    /// The number of requests that were lost on kept connections, as a clause for messages.
    package static func lost(_ use: ConnectionUse) -> Message {
        "the server closed the connection without a response to \(use.lost) of \(use.kept) requests on kept "
            + "connections; the same requests succeeded on new ones"
    }
}
