/// Which choice of a variant led to which variant that was seen.
///
/// A choice is seen when what was loaded before it has been played, and never where another one took its place before
/// anything of it was loaded. So choices and what was seen are laid side by side in their order, as many pairs of the
/// same mark as can be; where there are several ways, each variant that was seen is of the latest choice that can be.
struct VariantChoices {
    /// A variant of which frames begin to be seen, or that was chosen, on the recording's clock.
    struct Moment: Sendable, Equatable {
        var mark: Int
        var time: Double
        var source = 0.0
    }

    /// What is seen comes at most so much before its choice, in seconds: a clock is laid to another by what is said.
    private static let slack = 0.5

    /// More choices, or variants seen, than these are not looked at: what grows with the square of a long log is
    /// bounded.
    private static let most = 2000

    /// The variants that were seen, where another one begins than was seen before.
    static func seen(in pictures: [Observation.Pictures]) -> [Moment] {
        var moments: [Moment] = []
        for variant in pictures.flatMap(\.variants) where variant.mark != moments.last?.mark {
            moments.append(Moment(mark: variant.mark, time: variant.start, source: variant.source))
        }
        return moments
    }

    /// For each choice what was seen of it, or nil.
    static func pairs(_ choices: [Moment], _ seen: [Moment]) -> [Moment?] {
        let (given, choices, seen) = (choices.count, Array(choices.prefix(most)), Array(seen.prefix(most)))
        func fits(_ choice: Int, _ moment: Int) -> Bool {
            choices[choice].mark == seen[moment].mark && seen[moment].time >= choices[choice].time - slack
        }
        // The number of pairs the first so many choices and the first so many variants seen can make.
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
