internal import SegueBase
package import SegueNetworkModel

/// The network and server of a trial, in four numbers.
package struct Conditions: Sendable, Hashable {
    package enum Quantity: String, Sendable, CaseIterable {
        case rate, delay, loss, think
    }

    /// The download rate in kbit/s, from 1.
    ///
    /// The upload rate is a quarter of it.
    package var rate: Int
    /// The one-way delay in milliseconds, from 0.
    package var delay: Int
    /// The number of lost packets per thousand, from 0.
    package var loss: Int
    /// The response time of the server in milliseconds, from 0.
    package var think: Int

    /// The best conditions, from which trials start.
    package static let ideal = Conditions(rate: 100_000, delay: 1, loss: 0, think: 10)

    package init(rate: Int, delay: Int, loss: Int, think: Int) {
        (self.rate, self.delay, self.loss, self.think) = (rate, delay, loss, think)
    }

    /// A number by its name.
    package subscript(quantity: Quantity) -> Int {
        get {
            switch quantity {
            case .rate: rate
            case .delay: delay
            case .loss: loss
            case .think: think
            }
        }
        set {
            switch quantity {
            case .rate: rate = max(1, newValue)
            case .delay: delay = max(0, newValue)
            case .loss: loss = max(0, newValue)
            case .think: think = max(0, newValue)
            }
        }
    }

    /// The numbers that differ from ``ideal``.
    package var strained: [Quantity] { Quantity.allCases.filter { self[$0] != Conditions.ideal[$0] } }

    /// Returns the same conditions with one number of ``ideal``.
    func easing(_ quantity: Quantity) -> Conditions {
        var copy = self
        copy[quantity] = Conditions.ideal[quantity]
        return copy
    }

    /// Returns the conditions of ``ideal`` with one other number.
    static func straining(_ quantity: Quantity, to value: Int) -> Conditions {
        var copy = ideal
        copy[quantity] = value
        return copy
    }

    /// The network in numbers.
    package var network: LinkProfile {
        let bits = Int64(rate) * 1000
        var network = LinkProfile(
            name: words,
            down: .init(bitsPerSecond: bits, delay: .milliseconds(delay), loss: Double(loss) / 1000),
            up: .init(bitsPerSecond: max(1000, bits / 4), delay: .milliseconds(delay), loss: Double(loss) / 1000)
        )
        network.source = "made up by a search"
        return network
    }

    /// The network in words.
    package var words: String {
        "\(rate) kbit/s, \(delay) ms" + (loss > 0 ? ", \(Double(loss) / 10) % lost" : "")
    }
}

extension LinkProfile {
    /// The same network without connectivity.
    package var broken: LinkProfile {
        var copy = self
        copy.name += ", broken"
        copy.outages = [Spell(start: .zero, length: .seconds(1_000_000))]
        return copy
    }
}
