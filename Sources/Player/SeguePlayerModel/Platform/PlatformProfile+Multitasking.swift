package import SegueData

extension PlatformProfile {
    /// Reads the variant of a platform for devices without multitasking: an app ends when the user leaves it.
    ///
    /// - Throws: ``HarnessError`` with file, line, and key.
    package init(contentsOfFileWithoutMultitasking path: String, in harness: HarnessFolder?) throws(HarnessError) {
        let own = try PlatformProfile(contentsOfFile: path, in: harness)
        let source = "Apple, UIDevice.isMultitaskingSupported: false on this device"
        let yaml = """
            name: \(own.name)
            based-on: \(own.name)
            lifecycle:
              runs-in-background: { value: false, source: "\(source)" }
              background-task-limit: { value: 0 s, source: "\(source)" }
            """
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        try self.init(yaml: yaml, file: "\(folder)/\(own.name), without multitasking.yaml", in: harness)
    }
}
