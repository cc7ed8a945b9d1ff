internal import SegueBase
internal import SegueContainers
internal import SeguePlaylists

/// Checks the frames of a video stream of H.264 or HEVC one after another.
struct PictureChecks {
    let isHEVC: Bool
    /// The PID or track ID.
    private let number: Int
    /// The stream in messages, such as `PID 256`.
    private let name: String
    private var sets: ParameterSets?
    private var size: Resolution?
    private(set) var captions = CaptionScan()

    init(isHEVC: Bool, number: Int, name: String) {
        (self.isHEVC, self.number, self.name) = (isHEVC, number, name)
    }

    /// Reads the captions of a frame, and compares its parameter sets with earlier ones.
    ///
    /// - Parameters:
    ///   - units: The units of the frame, at least up to its first slice.
    ///   - time: The presentation time in seconds.
    ///   - faults: Receives the faults.
    mutating func read(_ units: PictureUnits, at time: Rational, noting faults: inout FaultList) {
        readCaptions(units)
        let place = DisplayText.seconds(time)
        if let size, let other = units.sets.setup?.size, other != size {
            faults.note(
                .changingParameters,
                of: number,
                "the video of \(name) changes from \(value: size) to \(value: other) at \(place), within the segment"
            )
        } else if let sets, let changed = units.sets.changedSequence(since: sets) {
            let message: Message = "SPS \(changed) of \(name) changes at \(place), within the segment"
            faults.note(.changingParameters, of: number, message)
        }
        size = units.sets.setup?.size ?? size
        sets = units.sets.joined(with: sets)
    }

    mutating func readCaptions(_ units: PictureUnits) {
        for message in units.messages { captions.read(message, isHEVC: isHEVC) }
    }

    /// Checks the delimiters of a frame of a transport stream.
    func checkDelimiters(_ units: PictureUnits, at time: Rational, noting faults: inout FaultList) {
        let place = DisplayText.seconds(time)
        if units.startsFrame == true, units.delimiters == 0 {
            faults.note(
                .delimiters,
                of: number << 2,
                "the frame at \(place) of \(name) has no access unit delimiter, expected 1"
            )
        } else if units.delimiters > 1 {
            faults.note(
                .delimiters,
                of: number << 2 | 1,
                "the frame at \(place) of \(name) has \(units.delimiters) access unit delimiters, expected 1"
            )
        }
    }

    /// Checks the end of a frame.
    func checkEnd(_ units: PictureUnits, at time: Rational, noting faults: inout FaultList) {
        let place = DisplayText.seconds(time)
        if units.endsWithSets {
            faults.note(
                .misplacedParameters,
                of: number,
                "parameter sets follow the slices of the frame at \(place) of \(name), so they belong to the next frame"
            )
        } else if units.endsWithDelimiter {
            faults.note(
                .delimiters,
                of: number << 2 | 2,
                "an access unit delimiter follows the slices of the frame at \(place) of \(name)"
            )
        }
    }

    /// Checks the sync flag of a sample.
    func checkSync(
        _ units: PictureUnits,
        _ picture: FragmentScan.Picture,
        at time: Rational,
        noting faults: inout FaultList
    ) {
        let place = DisplayText.seconds(time)
        if picture.isSync, units.needsOthers {
            faults.note(
                .falseSync,
                of: number << 1,
                "the sample at \(place) of \(name) is marked as a sync sample, its frame needs earlier frames"
            )
        } else if !picture.isSync, units.isInstant {
            let kind = isHEVC ? "an IDR or BLA frame" : "an IDR frame"
            let message: Message = "the sample at \(place) of \(name) is \(kind), not marked as a sync sample"
            if picture.isFirst {
                faults.note(.falseSync, of: number << 1 | 1, message)
            } else {
                faults.note(.unmarkedSync, of: number, message)
            }
        }
    }

    /// Checks that a random access point has its parameter sets, in its own sample or in the sample entry.
    func checkSets(_ units: PictureUnits, _ entry: EntrySetup, at time: Rational, noting faults: inout FaultList) {
        guard let slice = units.slice, units.isInstant,
            let words = units.sets.joined(with: entry.sets).missing(for: slice)
        else { return }
        faults.note(
            .missingParameters,
            of: number,
            "the keyframe at \(DisplayText.seconds(time)) of \(name) refers to \(words), which is neither in its sample nor in the sample entry"
        )
    }

    /// Compares the parameter sets of a sample with those of a sample entry that allows no others.
    func checkEntry(_ units: PictureUnits, _ entry: EntrySetup, at time: Rational, noting faults: inout FaultList) {
        guard let inner = entry.sets, let words = units.sets.contradiction(to: inner) else { return }
        faults.note(
            .otherParameters,
            of: number,
            "\(words) at \(DisplayText.seconds(time)) of \(name) differs from the initialization section"
        )
    }
}
