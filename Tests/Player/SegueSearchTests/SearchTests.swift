import SegueBase
import SegueEvents
import Testing

@testable import SegueSearch

/// A search over trials with known outcomes.
@Suite struct SearchTests {
    private static let vocabulary = {
        var vocabulary = Vocabulary(buttons: [.play, .pause, .next])
        vocabulary.seeks = true
        return vocabulary
    }()

    /// Runs a search with violations that a closure determines.
    private func search(
        _ vocabulary: Vocabulary = vocabulary,
        seed: UInt64 = 1,
        limit: Int = 2000,
        stopsAtFirst: Bool = true,
        _ breaks: (Trial) -> [String]
    ) -> Search {
        var search = Search(vocabulary, seed: seed, limit: limit, stopsAtFirst: stopsAtFirst)
        while true {
            let batch = search.batch()
            guard !batch.isEmpty else { return search }
            search.receive(
                batch.map { trial in
                    Outcome(
                        broken: breaks(trial).map { .init(rule: $0, message: "broken", at: .zero) },
                        footprint: Footprint(EventLog())
                    )
                }
            )
        }
    }

    @Test func `finds nothing in a correct app`() {
        let search = search(limit: 500) { _ in [] }
        #expect(search.findings.isEmpty)
        #expect(search.runs == 500)
    }

    @Test func `each change to the declarations gets its share of the runs, until it breaks a rule`() {
        func trials(breaking broken: Int?) -> [Int?: Int] {
            var vocabulary = Self.vocabulary
            vocabulary.variations = 5
            var counts: [Int?: Int] = [:]
            _ = search(vocabulary, limit: 200, stopsAtFirst: false) { trial in
                counts[trial.variation, default: 0] += 1
                return broken != nil && trial.variation == broken ? ["found"] : []
            }
            return counts
        }
        #expect(trials(breaking: nil) == [nil: 100, 0: 20, 1: 20, 2: 20, 3: 20, 4: 20])
        let others = trials(breaking: 2)
        for variation in [0, 1, 3, 4] { #expect(others[variation, default: 0] >= 23) }
    }

    @Test func `shrinks to the necessary steps`() throws {
        let found = try #require(
            search { trial in
                let acts = trial.steps.map(\.act)
                guard let home = acts.firstIndex(of: .goHome), acts[..<home].contains(.press(.play)) else { return [] }
                return ["background"]
            }.findings.first
        )
        #expect(found.trial.steps.map(\.act) == [.press(.play), .goHome])
        #expect(found.trial.steps.map(\.after) == [.zero, .zero])
        #expect(found.trial.conditions == .ideal)
        #expect(found.trial.seed == 0)
        #expect(found.border == nil)
    }

    @Test func `finds the critical value of the network`() throws {
        let found = try #require(
            search { $0.conditions.rate < 777 && $0.steps.contains { $0.act == .goHome } ? ["silent"] : [] }
                .findings.first
        )
        #expect(found.trial.conditions.strained == [.rate])
        let border = try #require(found.border)
        #expect(border.quantity == .condition(.rate))
        #expect(border.breaking < 777 && border.keeping >= 777)
        #expect(border.keeping - border.breaking <= 20)
        #expect(found.trial.conditions.rate == border.breaking)
    }

    @Test func `finds the critical time`() throws {
        let found = try #require(
            search { trial in
                trial.steps.contains { $0.act == .press(.next) && $0.after > .milliseconds(4321) } ? ["order"] : []
            }.findings.first
        )
        #expect(found.trial.steps.count == 1)
        let border = try #require(found.border)
        #expect(border.quantity == .time(0))
        #expect(border.breaking > 4321 && border.keeping <= 4321)
    }

    @Test func `gives the same result each time`() {
        let once = search(seed: 7) { $0.steps.count > 4 ? ["long"] : [] }
        let again = search(seed: 7) { $0.steps.count > 4 ? ["long"] : [] }
        #expect(once.findings == again.findings)
        #expect(once.runs == again.runs)
        #expect(once.findings.first?.trial.steps.count == 5)
    }

    @Test func `reports each rule once when it continues`() {
        let search = search(limit: 1000, stopsAtFirst: false) { trial in
            [
                trial.steps.contains { $0.act == .interrupt } ? "one" : nil,
                trial.steps.contains { $0.act == .press(.pause) } ? "other" : nil,
            ].compactMap(\.self)
        }
        #expect(search.findings.map(\.broken.rule).sorted() == ["one", "other"])
        #expect(search.runs == 1000)
    }

    @Test func `keeps a given network unchanged`() {
        var vocabulary = Self.vocabulary
        vocabulary.hasOwnNetwork = false
        let search = search(vocabulary, limit: 500) { trial in
            trial.conditions.rate == Conditions.ideal.rate && trial.conditions.delay == Conditions.ideal.delay
                ? [] : ["network"]
        }
        #expect(search.findings.isEmpty)
    }
}
