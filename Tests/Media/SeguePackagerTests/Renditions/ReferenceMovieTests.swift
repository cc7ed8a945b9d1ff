import Foundation
import SegueFFmpeg
import SeguePackager
import SegueTestSupport
import Testing

@Suite struct `Movies whose samples are said to lie in another file` {
    @Test(arguments: ReferenceMovie.Kind.allCases)
    func `are refused, and nothing of the other file is delivered`(kind: ReferenceMovie.Kind) throws {
        let folder = try TestFolder()
        let other = try Clip(seconds: 4, container: "mov").write(in: folder)
        let movie = Array(try #require(FileManager.default.contents(atPath: other)))
        #expect(
            try PresentationTests.whole(PresentationTests.open(other), rendition: .full, container: .fmp4).count > 0
        )
        let path = try folder.write(ReferenceMovie.bytes(like: movie, kind, to: other), to: "reference.mov")
        #expect(throws: PackagingError.self) {
            try PresentationTests.whole(PresentationTests.open(path), rendition: .full, container: .fmp4)
        }
    }
}
