internal import Foundation
import SegueData
import SegueTestSupport
import Testing

@Suite struct `Harness folder` {
    @Test func `finds a name or path, and suggests the nearest name`() throws {
        let folder = try TestFolder()
        try FileManager.default.createDirectory(atPath: folder.file("networks"), withIntermediateDirectories: false)
        _ = try folder.write([], to: "networks/wifi.yaml")
        let harness = HarnessFolder(path: folder.path)
        #expect(try harness.file("wifi", of: .networks) == folder.file("networks/wifi.yaml"))
        #expect(try harness.file(folder.file("networks/wifi.yaml"), of: .networks) == folder.file("networks/wifi.yaml"))
        let error = try #require(throws: HarnessError.self) { try harness.file("wfi", of: .networks) }
        #expect(error.description.contains("did you mean wifi?"))
        #expect(throws: HarnessError.self) { try harness.file("none/such.yaml", of: .networks) }
    }

    @Test func `is found above a program`() throws {
        let folder = try TestFolder()
        try FileManager.default.createDirectory(
            atPath: folder.file("Harness/scenarios"),
            withIntermediateDirectories: true
        )
        try FileManager.default.createDirectory(atPath: folder.file("build/bin"), withIntermediateDirectories: true)
        let found = try HarnessFolder.belonging(to: folder.file("build/bin/segue"), environment: [:])
        #expect(found.path.hasSuffix("/Harness"))
        #expect(throws: HarnessError.self) {
            try HarnessFolder.belonging(to: "/none/segue", environment: ["SEGUE_HARNESS": folder.file("missing")])
        }
    }
}
