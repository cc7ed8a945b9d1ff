import Testing

@testable import SegueWorkers

@Suite struct `Frames between server and worker` {
    private func frame(_ kind: Frame.Kind, _ question: UInt32, _ content: [UInt8]) -> [UInt8] {
        Frame.Header(kind, question: question, length: content.count).bytes + content
    }

    /// The result of reading bytes that arrive in portions.
    private func read(_ bytes: [UInt8], portion: Int, of question: UInt32) throws -> (pieces: [UInt8], kinds: [UInt8]) {
        var reader = FrameReader()
        var found: (pieces: [UInt8], kinds: [UInt8]) = ([], [])
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + portion)
            try reader.take(bytes[start..<end], of: question) { event in
                switch event {
                case .bytes(let part): found.pieces += part
                case .frame(let header, let content): found.kinds += [header.kind.rawValue] + content
                }
            }
            start = end
        }
        return found
    }

    @Test(arguments: [1, 2, 7, 8, 9, 10, 4096])
    func `are parsed alike in portions of any size`(portion: Int) throws {
        let bytes =
            frame(.size, 7, [3, 0]) + frame(.piece, 7, [1, 2]) + frame(.alive, 7, []) + frame(.piece, 7, [])
            + frame(.piece, 7, [3]) + frame(.end, 7, [9])
        let found = try read(bytes, portion: portion, of: 7)
        #expect(found.pieces == [1, 2, 3])
        #expect(found.kinds == [17, 3, 0, 22, 19, 9])
    }

    @Test func `of another question are ignored`() throws {
        let bytes = frame(.piece, 6, [1, 2]) + frame(.end, 6, [9]) + frame(.piece, 7, [3])
        let found = try read(bytes, portion: 5, of: 7)
        #expect(found.pieces == [3])
        #expect(found.kinds == [])
    }

    @Test(
        arguments: [
            [0, 0, 0, 0, 99, 0, 0, 0, 0], [1, 0, 4, 0, 18, 0, 0, 0, 0], [255, 255, 255, 255, 19, 0, 0, 0, 0],
            [9, 0, 0, 0, 22, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0, 0],
        ] as [[UInt8]]
    )
    func `of unknown kinds, or above their limit, are rejected before any byte is stored`(header: [UInt8]) {
        #expect(throws: FrameReader.Nonsense.self) { try self.read(header, portion: 9, of: 0) }
    }
}
