package import SegueData

extension PlatformProfile {
    /// The video frames that an attached layer queues while its item plays in the background.
    package final class QueuedFrames: FieldSection, @unchecked Sendable {
        // Sendable: its storage is the wrappers, which nothing replaces.
        @ProfileField(
            "queues-frames",
            .flag,
            meaning: """
                An attached layer renders and queues the frames of an item that plays in the background \
                (`picture.queued`), and shows them fast when the user returns (`picture.hurried`).
                """
        )
        package var isOn: Bool

        @ProfileField("queued-frame-rate", .integer(in: 1...1000), meaning: "The number of frames queued in a second.")
        package var rate: Int

        @ProfileField(
            "queued-frame-limit",
            .integerOrNever,
            meaning: """
                The number of queued frames at which the platform terminates the app for its use of memory \
                (`app.terminated`).
                """
        )
        package var limit: Int?

        @ProfileField(
            "queued-frame-speed",
            .positiveNumber,
            meaning: "The speed at which queued frames are shown, as a multiple of normal speed."
        )
        package var speed: Double

        package init() {}

        package func check(_ reader: FieldReader) throws(HarnessError) {
            try reader.require(limit != 0, of: "queued-frame-limit", "must be above 0, or never")
        }
    }
}
