import SegueBase
import Testing

@testable import SegueSuite

@Suite struct DriverDialogTests {
    @Test func `commands are numbered from 1, and the oldest one without a response is known`() {
        var dialog = DriverDialog()
        let ids = ["open", "play", "seek"].map { name in
            var command = DriverCommand(name: name)
            dialog.number(&command)
            return command.id
        }
        #expect(ids == [1, 2, 3])
        let names = [1, 1].map { dialog.answered($0) }
        #expect(names == ["open", nil])
        #expect(dialog.oldestUnanswered == "play" && !dialog.isAnswered)
        for id in [3, 2] { _ = dialog.answered(id) }
        #expect(dialog.isAnswered)
    }

    @Test func `times of the driver's clock count from its first line`() {
        var dialog = DriverDialog()
        dialog.begin(DriverHello(player: "fake 1", clock: 3600, can: [], tells: []), at: Instant(seconds: 2))
        #expect(dialog.instant(of: 3601) == Instant(seconds: 3))
    }
}
