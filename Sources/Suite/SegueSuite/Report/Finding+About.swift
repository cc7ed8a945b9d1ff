package import SegueVerification

extension Finding.Own {
    /// What the rule says, in a sentence.
    package var about: String {
        switch self {
        case .needs: "The file has what the scenario needs."
        case .unplayable: "The file has something that can be played."
        case .unopened: "A plan can be made for the file's media."
        case .sourceDamaged: "The file itself can be decoded."
        case .unserved: "All streams of the file are served."
        case .noServer: "The title's server answers."
        case .refused: "The server has the rendition that is asked for."
        case .stepFailed: "Each step of the scenario finds what it expects, and comes to its end."
        case .driverFailed: "A real player's driver keeps to the protocol, and lives as long as the case."
        case .notDriven: "A real player can be told to do what the scenario does."
        case .observed: "What a real player shows can be recorded and read."
        case .unobserved: "What a real player says of picture and sound is seen and heard."
        case .noProgress: "Something happens until the scenario is done."
        case .crash: "Work on the file does not end its process."
        case .hang: "Work on the file comes to its end."
        case .memory: "Work on the file takes no more memory than it may."
        case .notRun: "The machine can run the case."
        case .issueExpired: "A known issue that covers something is not expired."
        case .undelivered: "What was delivered can be fetched to be compared."
        }
    }
}

extension VerificationReport.Rule {
    /// What the rule says, in a sentence.
    package var about: String {
        switch self {
        case .soundMissing: "All sound of the source is delivered."
        case .soundRepeated: "No sound of the source is delivered twice."
        case .soundInserted: "No sound is delivered that the source has not."
        case .soundSilent: "There is no silence or dip that the source has not."
        case .soundAltered: "Copied sound is the source's, and transcoded sound resembles it."
        case .soundReordered: "Sound comes in the source's order."
        case .soundShifted: "Sound begins where the source's does."
        case .soundTime: "A sound's timestamps keep its place in the source."
        case .borderError: "The error at segment borders is no higher than inside segments."
        case .picturesMissing: "All pictures of the source are delivered."
        case .picturesExtra: "No picture is delivered twice, or is not the source's."
        case .picturesReordered: "Pictures come in the source's order."
        case .picturesAltered: "Copied pictures are the source's, and transcoded ones resemble them."
        case .pictureTime: "A picture is due when it is in the source."
        case .avOffset: "Sound and picture are together as in the source."
        case .segmentAlone: "A segment can be opened and decoded from its own start."
        case .tracks: "A segment has the tracks that its rendition has."
        case .segmentStart: "A segment begins where the plan says."
        case .syntheticContent: "Block codes and sound positions of a synthetic file tell the source's story."
        case .sourceUnreadable: "The source can be decoded to compare with."
        }
    }
}

extension Finding {
    /// What the rules say that no rule file makes, by their names.
    package static let ownRules: [String: String] =
        Dictionary(uniqueKeysWithValues: Own.allCases.map { ($0.rawValue, $0.about) })
        .merging(VerificationReport.Rule.allCases.map { ($0.rawValue, $0.about) }) { $1 }
        .merging(Budget.Metric.allCases.map { ("budget.\($0.rawValue)", "A budget: \($0.rawValue).") }) { $1 }
}
