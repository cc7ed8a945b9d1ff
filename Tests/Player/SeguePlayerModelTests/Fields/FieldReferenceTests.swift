import Foundation
import SegueTestSupport
import Testing

@testable import SeguePlayerModel

@Suite struct `Reference of fields` {
    @Test(arguments: [("platforms", FieldReference.platforms), ("apps", FieldReference.apps)])
    func `the page in docs is current`(name: String, page: String) throws {
        let stored = try String(contentsOfFile: Checkout.path("docs/\(name).md"), encoding: .utf8)
        #expect(stored == page, "docs/\(name).md is out of date; run: segue fields \(name) > docs/\(name).md")
    }

    @Test func `each key and each word is unique and has a sentence`() {
        let platform = PlatformProfile()
        for fields in [platform.fields, AppProfile().fields]
            + (platform.sections + AppProfile().sections).map(\.fields)
        {
            #expect(Set(fields.map(\.key)).count == fields.count)
            for field in fields {
                #expect(field.meaning.hasSuffix("."), "\(field.key)")
                #expect(Set(field.words.map(\.word)).count == field.words.count, "\(field.key)")
                #expect(field.words.allSatisfy { $0.meaning.hasSuffix(".") }, "\(field.key)")
            }
        }
    }
}
