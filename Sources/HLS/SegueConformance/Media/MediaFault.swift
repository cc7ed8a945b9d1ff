/// Something wrong in a segment's or an initialization section's own bytes, seen while they were gone through.
package struct MediaFault: Sendable, Equatable {
    /// What is wrong.
    package enum Kind: Sendable {
        /// A table of a transport stream has a wrong checksum.
        case checksum
        /// There is not one program.
        case programs
        /// A PID is used for two things, or is reserved.
        case packetIDs
        /// Clock references are too far apart.
        case clockInterval
        /// The same where there is sound alone.
        case soundClockInterval
        /// A picture or a frame is decoded before its bytes have come.
        case lateness
        /// Something is shown before it is decoded.
        case order
        /// Packets are marked as damaged.
        case damage
        /// Packets are scrambled.
        case scrambling
        /// A stream holds something else than its type says.
        case streamType
        /// A packet of a stream is longer or shorter than it says.
        case packetLength
        /// Frames of sound do not follow at their pace.
        case soundPace
        /// A fragment of a track has no decode time.
        case fragmentTime
        /// Data are addressed from elsewhere than their fragment.
        case addressing
        /// Samples lie outside the media data.
        case sampleData
        /// The units of a sample are not as long as it.
        case sampleUnits
        /// A fragment has not one box of media data.
        case mediaData
        /// An offset of presentation is a negative number that is read as a huge one.
        case offsets
        /// Encrypted samples come without what is needed to decrypt them.
        case decryption
        /// An index does not end where a fragment ends.
        case index
        /// A track is not in the initialization section.
        case unknownTrack
        /// Parameter sets in the stream contradict those of the initialization section.
        case otherParameters
        /// A slice refers to parameter sets that are not there.
        case missingParameters
        /// Pictures are fields.
        case fields
        /// Boxes of an initialization section stand in the wrong order.
        case boxOrder
        /// Movie extends stand before a track.
        case extendsOrder
        /// The movie or a track has a duration of its own.
        case movieDuration
        /// Data are elsewhere than in the file.
        case externalData
        /// A track's edit list is more than a shift.
        case edits
        /// A sample entry has another size than its parameter sets.
        case entrySize
        /// A sample entry has another colour than its parameter sets.
        case entryColour
    }

    /// What is wrong.
    package let kind: Kind

    /// In words.
    package let words: String

    /// A fault.
    package init(_ kind: Kind, _ words: String) { (self.kind, self.words) = (kind, words) }
}

/// Faults as they are found: of each kind and subject the first is kept, and how many there were.
struct FaultList {
    private struct Key: Hashable {
        let kind: MediaFault.Kind
        let subject: Int
    }

    private var found: [(key: Key, words: String, count: Int)] = []
    private var places: [Key: Int] = [:]

    /// Notes a fault.
    ///
    /// - Parameters:
    ///   - kind: What is wrong.
    ///   - subject: With what, such as a PID.
    ///   - words: In words, made only for the first.
    mutating func note(_ kind: MediaFault.Kind, _ subject: Int = 0, _ words: @autoclosure () -> String) {
        let key = Key(kind: kind, subject: subject)
        if let place = places[key] {
            found[place].count += 1
        } else if found.count < 1000 {
            places[key] = found.count
            found.append((key, words(), 1))
        }
    }

    /// All, with how often each was found.
    var all: [MediaFault] {
        found.map { MediaFault($0.key.kind, $0.words + ($0.count > 1 ? " (\($0.count) times)" : "")) }
    }
}
