package import SegueBase

/// A fault in the bytes of a segment or an initialization section.
package struct MediaFault: Sendable, Equatable {
    /// The kind of fault.
    ///
    /// Each kind has a rule of its own in ``FaultRules``.
    package enum Kind: Sendable {
        case checksum
        case programs
        case packetIDs
        case clockInterval
        /// The same as `clockInterval` in a stream without video.
        case soundClockInterval
        case lateness
        case order
        case damage
        case scrambling
        case streamType
        case packetLength
        case soundPace
        case fragmentTime
        case addressing
        case sampleData
        case sampleUnits
        case mediaData
        case offsets
        case decryption
        case index
        case unknownTrack
        case otherParameters
        case missingParameters
        case fields
        case changingParameters
        case misplacedParameters
        case delimiters
        case falseSync
        case unmarkedSync
        case sampleTimes
        case mapVersion
        case alignment
        case boxOrder
        case extendsOrder
        case movieDuration
        case externalData
        case edits
        case entrySize
        case entryColour
    }

    package let kind: Kind

    /// The fault as a sentence without a full stop.
    package let message: Message

    /// The compared values; nil if the scanner compared no numbers.
    let comparison: Comparison?

    package init(_ kind: Kind, _ message: Message) { (self.kind, self.message, comparison) = (kind, message, nil) }

    fileprivate init(_ kind: Kind, _ message: Message, comparison: Comparison?) {
        (self.kind, self.message, self.comparison) = (kind, message, comparison)
    }

    func violation(at place: Place) -> Violation { Violation(place, message, comparison: comparison) }
}

/// The faults of one scan: the first of each kind and subject, with the number of repetitions.
struct FaultList {
    private struct Key: Hashable {
        let kind: MediaFault.Kind
        let subject: Int
    }

    private static let limit = 1000

    private var found: [(key: Key, message: Message, comparison: Comparison?, count: Int)] = []
    private var places: [Key: Int] = [:]

    /// Notes a fault.
    ///
    /// - Parameters:
    ///   - kind: The kind of fault.
    ///   - subject: The stream or track, such as a PID.
    ///   - message: The message, evaluated for the first fault only.
    mutating func note(_ kind: MediaFault.Kind, of subject: Int = 0, _ message: @autoclosure () -> Message) {
        note(Key(kind: kind, subject: subject)) { (message(), nil) }
    }

    /// Notes a fault with the compared values.
    mutating func note(_ kind: MediaFault.Kind, of subject: Int, _ comparison: @autoclosure () -> Comparison) {
        note(Key(kind: kind, subject: subject)) {
            let comparison = comparison()
            return (comparison.message, comparison)
        }
    }

    private mutating func note(_ key: Key, _ fault: () -> (message: Message, comparison: Comparison?)) {
        if let place = places[key] {
            found[place].count += 1
        } else if found.count < Self.limit {
            let fault = fault()
            places[key] = found.count
            found.append((key, fault.message, fault.comparison, 1))
        }
    }

    /// Adds the faults of another scan.
    mutating func add(_ other: FaultList) {
        for fault in other.found {
            if let place = places[fault.key] {
                found[place].count += fault.count
            } else if found.count < Self.limit {
                places[fault.key] = found.count
                found.append(fault)
            }
        }
    }

    /// All faults; the message of a repeated one states the count.
    var all: [MediaFault] {
        found.map { fault in
            let repetition: Message = fault.count > 1 ? " (\(fault.count) times)" : ""
            return MediaFault(fault.key.kind, fault.message + repetition, comparison: fault.comparison)
        }
    }
}
