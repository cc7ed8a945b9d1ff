internal import SegueBase
package import SegueNetworkModel

/// What a network and a server are like in a trial, in four numbers.
package struct Conditions: Sendable, Hashable {
    /// One of the numbers.
    package enum Quantity: String, Sendable, CaseIterable {
        case rate, delay, loss, think
    }

    /// How much comes through towards the client, in kbit/s, from 1; a quarter of that towards the server.
    package var rate: Int
    /// How long a packet takes in one direction, in milliseconds, from 0.
    package var delay: Int
    /// How many of a thousand packets are lost, from 0.
    package var loss: Int
    /// How long the server takes for an answer, in milliseconds, from 0.
    package var think: Int

    /// The best that a trial begins with, on which nothing hangs.
    package static let ideal = Conditions(rate: 100_000, delay: 1, loss: 0, think: 10)

    /// Conditions.
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

    /// Which numbers are not those of ``ideal``.
    package var strained: [Quantity] { Quantity.allCases.filter { self[$0] != Conditions.ideal[$0] } }

    /// The same with one number of ``ideal``.
    func easing(_ quantity: Quantity) -> Conditions {
        var copy = self
        copy[quantity] = Conditions.ideal[quantity]
        return copy
    }

    /// The conditions of ``ideal`` but for one number.
    static func straining(_ quantity: Quantity, to value: Int) -> Conditions {
        var copy = ideal
        copy[quantity] = value
        return copy
    }

    /// The network in numbers.
    package var network: LinkProfile {
        let bits = Int64(rate) * 1000
        return LinkProfile(
            name: words,
            source: "made up by a search",
            down: .init(bitsPerSecond: bits, delay: .milliseconds(delay), loss: Double(loss) / 1000),
            up: .init(bitsPerSecond: max(1000, bits / 4), delay: .milliseconds(delay), loss: Double(loss) / 1000)
        )
    }

    /// The network in words.
    package var words: String {
        "\(rate) kbit/s, \(delay) ms" + (loss > 0 ? ", \(Double(loss) / 10) % lost" : "")
    }
}

extension LinkProfile {
    /// The same network, over which nothing comes any more.
    package var broken: LinkProfile {
        var copy = self
        copy.name += ", broken"
        copy.outages = [Spell(start: .zero, length: .seconds(1_000_000))]
        return copy
    }
}
