package import SegueVerification

extension Finding.Own {
    /// The rule in a sentence.
    package var about: String {
        switch self {
        case .needs: "The file meets the needs of the scenario."
        case .unplayable: "The file has playable media."
        case .unopened: "The media can be divided into segments."
        case .sourceDamaged: "The file itself can be decoded."
        case .unserved: "All streams of the file are served."
        case .noServer: "The title's server responds."
        case .refused: "The server provides the requested rendition."
        case .stepFailed: "Each step of the scenario ends and meets its expectation."
        case .driverFailed: "The driver of a real player follows the protocol and runs until the end of the case."
        case .notDriven: "The driver of a real player supports the scenario."
        case .observed: "The output of a real player is recorded."
        case .unobserved: "The recorded audio and video match the player's statements."
        case .noProgress: "The run makes progress until the scenario is done."
        case .crash: "Processing the file does not crash."
        case .hang: "Processing the file finishes."
        case .memory: "Processing the file stays within the memory limit."
        case .notRun: "The machine can run the case."
        case .issueExpired: "A known issue that covers findings has not expired."
        case .undelivered: "The delivered content can be fetched for comparison."
        }
    }
}

extension VerificationReport.Rule {
    /// The rule in a sentence.
    package var about: String {
        switch self {
        case .soundMissing: "All audio of the source is delivered."
        case .soundRepeated: "No audio of the source is delivered twice."
        case .soundInserted: "No audio is delivered that the source does not have."
        case .soundSilent: "There is no silence or dip that the source does not have."
        case .soundAltered: "Copied audio is identical to the source, and transcoded audio is similar."
        case .soundReordered: "Audio is delivered in the order of the source."
        case .soundShifted: "Audio begins at the same time as in the source."
        case .soundTime: "Audio timestamps match the source."
        case .borderError: "The error at segment borders is no higher than inside segments."
        case .picturesMissing: "All frames of the source are delivered."
        case .picturesExtra: "No frame is delivered twice, and none is added."
        case .picturesReordered: "Frames are delivered in the order of the source."
        case .picturesAltered: "Copied frames are identical to the source, and transcoded frames are similar."
        case .pictureTime: "Frame times match the source."
        case .avOffset: "Audio and video are in sync as in the source."
        case .segmentAlone: "A segment can be opened and decoded on its own."
        case .tracks: "A segment has the tracks of its rendition."
        case .segmentStart: "A segment begins at its planned time."
        case .syntheticContent: "The frame codes and audio positions of a synthetic file match the source."
        case .sourceUnreadable: "The source can be decoded for comparison."
        }
    }
}

extension Finding {
    /// The rules that no rule file defines, by name.
    package static let ownRules: [String: String] =
        Dictionary(uniqueKeysWithValues: Own.allCases.map { ($0.rawValue, $0.about) })
        .merging(VerificationReport.Rule.allCases.map { ($0.rawValue, $0.about) }) { $1 }
        .merging(Budget.Metric.allCases.map { ("budget.\($0.rawValue)", "A budget: \($0.rawValue).") }) { $1 }
}
