import Foundation
import SegueData
import SegueHarnessFiles
import Testing

@Suite struct `Built-in data` {
    private let folder = HarnessFolder(path: HarnessData.path)

    @Test(arguments: HarnessFolder.Kind.allCases) func `has a folder for each kind`(kind: HarnessFolder.Kind) throws {
        var isFolder: ObjCBool = false
        let path = "\(HarnessData.path)/\(kind.rawValue)"
        #expect(FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue, "\(path)")
    }

    @Test func `is found by name, without a checkout`() throws {
        let path = try folder.file("3g", of: .networks)
        #expect(path.hasPrefix(HarnessData.path))
        #expect(try HarnessFile.fields(ofFileAt: path).names.contains("down"))
    }
}
