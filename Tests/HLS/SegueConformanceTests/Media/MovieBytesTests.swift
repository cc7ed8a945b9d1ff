import SegueBase
import SegueConformance
import SeguePlaylists
import Testing

@Suite struct `Bytes of fragmented MP4` {
    private static let initialization = InitializationFacts.inspecting(MadeMovie.initialization(), url: "i")

    private static func kinds(_ fragment: MadeMovie.Fragment, _ initialization: InitializationFacts) -> [MediaFault
        .Kind]
    {
        SegmentFacts.inspecting(MadeMovie.segment(fragment), number: 0, url: "s", initialization: initialization)
            .faults.map(\.kind)
    }

    private static func fragment(_ change: (inout MadeMovie.Fragment) -> Void) -> MadeMovie.Fragment {
        var fragment = MadeMovie.Fragment()
        change(&fragment)
        return fragment
    }

    private static func initialization(_ change: (inout MadeMovie.Options) -> Void) -> InitializationFacts {
        var options = MadeMovie.Options()
        change(&options)
        return .inspecting(MadeMovie.initialization(options), url: "i")
    }

    @Test func `good content has no faults, and declares its codecs`() throws {
        #expect(Self.initialization.failure == nil)
        #expect(Self.initialization.faults == [])
        let track = try #require(Self.initialization.tracks.first)
        #expect(track.parameters == "avc1.42c01e")
        #expect(track.setup?.size == Resolution(width: 640, height: 360))
        let facts = SegmentFacts.inspecting(
            MadeMovie.segment(),
            number: 0,
            url: "s",
            initialization: Self.initialization
        )
        #expect(facts.faults == [])
        #expect(facts.sequence == 1...1)
        #expect(facts.tracks.first?.keyframes == [Rational(10)])
        #expect(facts.tracks.first?.wholeSamples == 1)
    }

    @Test(
        arguments: [
            (fragment { $0.hasTime = false }, .fragmentTime), (fragment { $0.headFlags = 1 }, .addressing),
            (fragment { $0.dataOffset = 20 }, .sampleData), (fragment { $0.dataOffset = 1 << 30 }, .sampleData),
            (fragment { $0.dataOffset = -(1 << 30) }, .sampleData), (fragment { $0.track = 9 }, .unknownTrack),
            (fragment { $0.after = MadeMovie.box("mdat", []) }, .mediaData),
            (fragment { $0.offset = -5 }, .offsets),
            (
                fragment {
                    $0.before = MadeMovie.box(
                        "sidx",
                        MadeMovie.big(0, 20) + MadeMovie.big(0, 2) + MadeMovie.big(1, 2) + MadeMovie.big(77, 4)
                            + MadeMovie.big(0, 8)
                    )
                }, .index
            ),
            (fragment { $0.samples = [[0, 0, 0, 4, 0x68, 0xCE, 0x3C, 0x90] + MadeMovie.frame] }, .otherParameters),
            (fragment { $0.samples = [MadeMovie.frame + [0, 0, 0, 9, 0x41]] }, .sampleUnits),
            (fragment { $0.headFlags = 0 }, .addressing),
            // This slice refers to the picture parameter set with the ID 3.
            (fragment { $0.samples = [[0, 0, 0, 5, 0x65, 0x88, 0x20, 0x84, 0]] }, .missingParameters),
        ] as [(MadeMovie.Fragment, MediaFault.Kind)]
    )
    func `a fault in a fragment is found`(fragment: MadeMovie.Fragment, kind: MediaFault.Kind) {
        #expect(Self.kinds(fragment, Self.initialization) == [kind])
    }

    /// A predicted frame, after its length.
    private static let predicted: [UInt8] = [0, 0, 0, 5, 0x41, 0xE0, 0x84, 0, 0x10]
    private static let otherPicture: [UInt8] = [0, 0, 0, 4, 0x68, 0xCE, 0x3C, 0x90]
    private static let otherSequence: [UInt8] =
        MadeMovie.big(MadeMovie.sequenceSet.count, 4)
        + MadeMovie.sequenceSet.enumerated().map { $0 == 3 ? 0x1F : $1 }

    @Test(
        arguments: [
            (fragment { ($0.samples, $0.flags) = ([MadeMovie.frame, predicted], [0, 0x101_0000]) }, []),
            (fragment { ($0.samples, $0.flags) = ([MadeMovie.frame, predicted], [0, 0]) }, [.falseSync]),
            (
                fragment { ($0.samples, $0.flags) = ([MadeMovie.frame, predicted], [0x1_0000, 0x101_0000]) },
                [.falseSync]
            ),
            (
                fragment { ($0.samples, $0.flags) = ([MadeMovie.frame, MadeMovie.frame], [0, 0x1_0000]) },
                [.unmarkedSync]
            ),
            (fragment { ($0.samples, $0.offsets) = ([MadeMovie.frame, MadeMovie.frame], [1, 0]) }, [.sampleTimes]),
            (fragment { ($0.samples, $0.offsets) = ([MadeMovie.frame, MadeMovie.frame], [2, 0]) }, []),
            (
                fragment { $0.samples = [MadeMovie.frame + [0, 0, 0, 4, 0x68, 0xCE, 0x3C, 0x80]] },
                [.misplacedParameters]
            ),
            (fragment { $0.samples = [MadeMovie.frame, otherPicture + MadeMovie.frame] }, [.otherParameters]),
        ] as [(MadeMovie.Fragment, [MediaFault.Kind])]
    )
    func `samples are compared with the frames in them`(fragment: MadeMovie.Fragment, kinds: [MediaFault.Kind]) {
        #expect(Set(Self.kinds(fragment, Self.initialization)) == Set(kinds))
    }

    @Test func `a parameter set may not change within a segment, even if the sample entry allows other ones`() {
        let own = MadeMovie.big(MadeMovie.sequenceSet.count, 4) + MadeMovie.sequenceSet
        let initialization = Self.initialization { $0.entry = "avc3" }
        let same = Self.fragment { $0.samples = [own + MadeMovie.frame, own + MadeMovie.frame] }
        #expect(Self.kinds(same, initialization) == [])
        let other = Self.fragment { $0.samples = [own + MadeMovie.frame, Self.otherSequence + MadeMovie.frame] }
        #expect(Self.kinds(other, initialization) == [.changingParameters])
        let missing = Self.fragment { $0.samples = [MadeMovie.frame, [0, 0, 0, 5, 0x65, 0x88, 0x20, 0x84, 0]] }
        #expect(Self.kinds(missing, initialization) == [.missingParameters])
    }

    @Test func `a time beyond any clock is not called missing`() throws {
        var bytes = MadeMovie.segment()
        let place = try #require(bytes.firstRange(of: Array("tfdt".utf8))).upperBound
        bytes[place] = 1
        bytes.insert(contentsOf: [0xFF, 0xFF, 0xFF, 0xFF], at: place + 4)
        let facts = SegmentFacts.inspecting(bytes, number: 0, url: "s", initialization: Self.initialization)
        #expect(!facts.faults.contains { $0.message.text.contains("has no tfdt") })
    }

    @Test func `parameter sets in the stream may differ where the sample entry allows it`() {
        let fragment = Self.fragment { $0.samples = [[0, 0, 0, 4, 0x68, 0xCE, 0x3C, 0x90] + MadeMovie.frame] }
        #expect(Self.kinds(fragment, Self.initialization { $0.entry = "avc3" }) == [])
    }

    @Test
    func `zeros may follow the units of a frame, and outside CMAF offsets may count from the moof`() {
        #expect(Self.kinds(Self.fragment { $0.samples = [MadeMovie.frame + [0, 0, 0]] }, Self.initialization) == [])
        let fragment = Self.fragment { $0.headFlags = 0 }
        #expect(Self.kinds(fragment, Self.initialization { $0.brands = ["iso6"] }) == [])
        let both = Self.fragment { $0.after = MadeMovie.segment(Self.fragment { $0.headFlags = 0 }) }
        #expect(Self.kinds(both, Self.initialization { $0.brands = ["iso6"] }).contains(.addressing))
    }

    @Test(
        arguments: [
            (initialization { $0.hasTypeFirst = false }, .boxOrder),
            (initialization { $0.hasExtendsFirst = true }, .extendsOrder),
            (initialization { $0.isExternal = true }, .externalData),
            (initialization { $0.edits = [(40, -1), (0, 0)] }, .edits),
            (initialization { $0.size = (640, 368) }, .entrySize),
        ] as [(InitializationFacts, MediaFault.Kind)]
    )
    func `a fault in an initialization section is found`(facts: InitializationFacts, kind: MediaFault.Kind) {
        #expect(Set(facts.faults.map(\.kind)) == [kind])
    }

    @Test func `encrypted samples need initialization vectors, clear ones beside them do not`() {
        let initialization = Self.initialization { $0.isEncrypted = true }
        #expect(initialization.tracks.first?.isEncrypted == true)
        #expect(initialization.tracks.first?.parameters == "avc1.42c01e")
        #expect(Self.kinds(MadeMovie.Fragment(), initialization) == [.decryption])
        let clear = Self.fragment { $0.description = 2 }
        #expect(Self.kinds(clear, initialization) == [])
        let facts = SegmentFacts.inspecting(
            MadeMovie.segment(clear),
            number: 0,
            url: "s",
            initialization: initialization
        )
        #expect(facts.tracks.first?.isEncrypted == false)
    }

    @Test func `a sample duration of its own is found, and edits outside CMAF are free`() {
        #expect(Set(Self.initialization { $0.duration = 7 }.faults.map(\.kind)) == [.movieDuration])
        let facts = Self.initialization { options in
            (options.edits, options.brands) = ([(40, -1), (0, 0)], ["iso6"])
        }
        #expect(facts.faults == [])
    }

    @Test func `a fragment cut off after its first frame has one frame`() {
        let whole = MadeMovie.segment(Self.fragment { $0.samples = Array(repeating: MadeMovie.frame, count: 5) })
        let cut = Array(whole.dropLast(4 * MadeMovie.frame.count))
        let facts = SegmentFacts.inspecting(cut, number: 0, url: "s", initialization: Self.initialization)
        #expect(facts.tracks.first?.samples == 5)
        #expect(facts.tracks.first?.wholeSamples == 1)
        let text = Good.fragmentText.replacing("#EXT-X-PLAYLIST", with: "#EXT-X-I-FRAMES-ONLY\n#EXT-X-PLAYLIST")
        let subject = MediaSubject(
            document: Good.document(text),
            segments: [facts],
            initializations: [Self.initialization]
        )
        #expect(
            Validator.findings(subject).filter { $0.rule.id == "iframe-picture" || $0.rule.id == "sample-data" } == []
        )
    }

    @Test func `cut and damaged copies do not trap`() {
        var random = SeededRandom(seed: 7)
        let whole = MadeMovie.segment(Self.fragment { $0.samples = Array(repeating: MadeMovie.frame, count: 5) })
        let section = MadeMovie.initialization()
        for _ in 0..<1000 {
            var (bytes, head) = (whole, section)
            bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            bytes[Int.random(in: 0..<bytes.count, using: &random)] = 0xFF
            head[Int.random(in: 0..<head.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            let initialization = InitializationFacts.inspecting(head, url: "i")
            let facts = SegmentFacts.inspecting(bytes, number: 0, url: "s", initialization: initialization)
            let subject = MediaSubject(
                document: Good.document(Good.fragmentText),
                segments: [facts],
                initializations: [initialization]
            )
            _ = Validator.findings(subject)
        }
    }
}
