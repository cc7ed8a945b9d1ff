import Testing

@testable import SegueConformance

@Suite struct `Closed captions in the video` {
    /// An SEI unit of H.264 with triplets of cc_data.
    private static func unit(_ triplets: [[UInt8]]) -> ArraySlice<UInt8> {
        let data: [UInt8] =
            [0xB5, 0, 0x31, 0x47, 0x41, 0x39, 0x34, 3, 0x40 | UInt8(triplets.count), 0xFF] + triplets.flatMap { $0 } + [
                0xFF
            ]
        return ([6, 4, UInt8(data.count)] + data + [0x80])[...]
    }

    private static func channels(_ triplets: [UInt8]...) -> Set<String> {
        var scan = CaptionScan()
        scan.read(unit(triplets), isHEVC: false)
        return scan.channels
    }

    @Test func `text on a channel of CEA-608 is found, padding and commands alone are not`() {
        #expect(Self.channels([0xFC, 0x80, 0x80], [0xFD, 0x80, 0x80]) == [])
        #expect(Self.channels([0xFC, 0x94, 0x2C]) == [])
        #expect(Self.channels([0xFC, 0x94, 0x20], [0xFC, 0xC8, 0xE5]) == ["CC1"])
        #expect(Self.channels([0xFC, 0x1C, 0x20], [0xFC, 0xC8, 0xE5]) == ["CC2"])
        #expect(Self.channels([0xFD, 0x15, 0x20], [0xFD, 0xC8, 0xE5]) == ["CC3"])
        // A pair that is marked as invalid.
        #expect(Self.channels([0xFC, 0x94, 0x20], [0xF8, 0xC8, 0xE5]) == [])
        // The text service of the first channel.
        #expect(Self.channels([0xFC, 0x94, 0x2A], [0xFC, 0xC8, 0xE5]) == [])
        // Extended data services.
        #expect(Self.channels([0xFD, 0x01, 0x03], [0xFD, 0xC8, 0xE5]) == [])
    }

    @Test func `text of a service of CEA-708 is found, window commands alone are not`() {
        #expect(Self.channels([0xFF, 0x02, 0x22], [0xFE, 0x48, 0x69]) == ["SERVICE1"])
        #expect(Self.channels([0xFF, 0x02, 0x42], [0xFE, 0x48, 0x69]) == ["SERVICE2"])
        #expect(Self.channels([0xFF, 0x02, 0x22], [0xFE, 0x88, 0xFF]) == [])
        #expect(Self.channels([0xFE, 0x48, 0x69]) == [])
        // An extended service number.
        #expect(Self.channels([0xFF, 0x03, 0xE2], [0xFE, 0x09, 0x48], [0xFE, 0x69, 0]) == ["SERVICE9"])
    }

    @Test func `user data of others is ignored, and no bytes trap`() {
        var scan = CaptionScan()
        scan.read([6, 5, 4, 1, 2, 3, 4, 0x80], isHEVC: false)
        scan.read([6, 0xFF, 0xFF], isHEVC: false)
        scan.read([], isHEVC: true)
        scan.read([0x4E, 1, 4, 200, 0xB5], isHEVC: true)
        #expect(scan.channels == [])
    }
}
