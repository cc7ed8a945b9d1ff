/// The assignment of variant choices to the variants seen.
///
/// A choice becomes visible after the media loaded before it has been played, or never if another choice replaces it
/// earlier. Choices and observations are aligned in order with the maximum number of equal marks; among equal
/// alignments, each observation goes to the latest possible choice.
struct VariantChoices {
    /// A choice of a variant or the first frame of one, on the recording's clock.
    struct Moment: Sendable, Equatable {
        var mark: Int
        var time: Double
        var source = 0.0
    }

    /// The maximum time by which an observation may precede its choice, in seconds, because clocks are aligned by
    /// statements.
    private static let slack = 0.5

    /// The maximum number of choices and observations, because the cost is quadratic.
    private static let most = 2000

    /// The changes of the visible variant.
    static func seen(in video: [Observation.Video]) -> [Moment] {
        var moments: [Moment] = []
        for variant in video.flatMap(\.variants) where variant.mark != moments.last?.mark {
            moments.append(Moment(mark: variant.mark, time: variant.start, source: variant.source))
        }
        return moments
    }

    /// The observation for each choice, or nil.
    static func pairs(_ choices: [Moment], _ seen: [Moment]) -> [Moment?] {
        let (given, choices, seen) = (choices.count, Array(choices.prefix(most)), Array(seen.prefix(most)))
        func fits(_ choice: Int, _ moment: Int) -> Bool {
            choices[choice].mark == seen[moment].mark && seen[moment].time >= choices[choice].time - slack
        }
        // The maximum number of pairs for each prefix of choices and observations.
        var counts = [[Int32]](repeating: [Int32](repeating: 0, count: seen.count + 1), count: choices.count + 1)
        for choice in choices.indices {
            for moment in seen.indices {
                let paired = fits(choice, moment) ? counts[choice][moment] + 1 : 0
                counts[choice + 1][moment + 1] = max(paired, counts[choice][moment + 1], counts[choice + 1][moment])
            }
        }
        var found = [Moment?](repeating: nil, count: given)
        var (choice, moment) = (choices.count, seen.count)
        while choice > 0, moment > 0 {
            let count = counts[choice][moment]
            if fits(choice - 1, moment - 1), counts[choice - 1][moment - 1] + 1 == count {
                found[choice - 1] = seen[moment - 1]
                (choice, moment) = (choice - 1, moment - 1)
            } else if counts[choice][moment - 1] == count {
                moment -= 1
            } else {
                choice -= 1
            }
        }
        return found
    }
}
