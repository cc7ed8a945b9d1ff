internal import CSegueLibXML2

/// A parser of libxml2 that stops at the limits of its options.
final class MarkupParser {
    struct Parsed {
        var tree: UnsafeMutablePointer<xmlDoc>
        var errors: [MarkupError]
        var prefixes: [String: String]
    }

    /// The maximum number of errors that are kept, and of prefixes.
    private static let (errorLimit, prefixLimit) = (100, 1000)

    /// libxml2 has to be initialized by one thread.
    private static let isReady: Bool = {
        xmlInitParser()
        return true
    }()

    private let options: MarkupOptions
    private let isHTML: Bool
    private var elementCount = 0
    private var errors: [MarkupError] = []
    private var fatal: MarkupError?
    /// The error that stopped the parser.
    private var stopped: MarkupError?
    private var prefixes: [String: String] = [:]

    init(_ options: MarkupOptions, isHTML: Bool) { (self.options, self.isHTML) = (options, isHTML) }

    /// Parses a document; the caller frees the tree.
    ///
    /// - Throws: ``MarkupError``.
    func parse(_ bytes: [UInt8], encoding: String?) throws(MarkupError) -> Parsed {
        guard Self.isReady, bytes.count <= options.byteLimit, let size = Int32(exactly: bytes.count) else {
            throw MarkupError("the document exceeds \(options.byteLimit) bytes")
        }
        if bytes.isEmpty { throw MarkupError("the document is empty") }
        guard let context = isHTML ? htmlNewParserCtxt() : xmlNewParserCtxt() else {
            throw MarkupError("libxml2 has no memory for a parser")
        }
        defer { xmlFreeParserCtxt(context) }
        context.pointee._private = Unmanaged.passUnretained(self).toOpaque()
        setHandlers(of: context)
        let tree = bytes.withUnsafeBytes { buffer in
            let start = buffer.bindMemory(to: CChar.self).baseAddress
            return isHTML
                ? htmlCtxtReadMemory(context, start, size, nil, encoding, Self.htmlOptions)
                : xmlCtxtReadMemory(context, start, size, nil, encoding, xmlOptions)
        }
        if let error = stopped ?? (tree == nil || isHTML || options.recovers ? nil : fatal) {
            xmlFreeDoc(tree)
            throw error
        }
        guard let tree, xmlDocGetRootElement(tree) != nil else {
            xmlFreeDoc(tree)
            throw fatal ?? errors.first ?? MarkupError("the document has no element")
        }
        return Parsed(tree: tree, errors: errors, prefixes: prefixes)
    }

    // Without XML_PARSE_NOENT no entity is replaced, without XML_PARSE_DTDLOAD none is loaded, and without
    // XML_PARSE_HUGE libxml2's own limits apply.
    private static let htmlOptions = Int32(
        HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NONET.rawValue | HTML_PARSE_NOERROR.rawValue
            | HTML_PARSE_NOWARNING.rawValue
    )

    private var xmlOptions: Int32 {
        let always =
            XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue
            | XML_PARSE_NOCDATA.rawValue
        return Int32(options.recovers ? always | XML_PARSE_RECOVER.rawValue : always)
    }

    private func setHandlers(of context: xmlParserCtxtPtr) {
        guard let handlers = context.pointee.sax else { return }
        // libxml2 calls `serror` for this version of handlers only.
        handlers.pointee.initialized = UInt32(XML_SAX2_MAGIC)
        handlers.pointee.serror = { context, error in
            guard let error = error?.pointee else { return }
            MarkupParser.of(context)?.note(error)
        }
        handlers.pointee.resolveEntity = nil
        handlers.pointee.externalSubset = nil
        if isHTML {
            handlers.pointee.startElement = { context, name, attributes in
                var count = 0
                while let attributes, attributes[2 * count] != nil { count += 1 }
                guard MarkupParser.of(context)?.begin(attributeCount: count, in: context) == true else { return }
                xmlSAX2StartElement(context, name, attributes)
            }
        } else {
            setStructureHandlers(handlers)
            setDeclarationHandlers(handlers)
        }
    }

    private func setStructureHandlers(_ handlers: UnsafeMutablePointer<xmlSAXHandler>) {
        handlers.pointee.startElementNs = {
            guard let parser = MarkupParser.of($0), parser.begin(attributeCount: Int($6), in: $0) else { return }
            parser.note($5, count: Int($4))
            xmlSAX2StartElementNs($0, $1, $2, $3, $4, $5, $6, $7, $8)
            if $2 == nil, parser.options.ignoresDefaultNamespace {
                $0?.assumingMemoryBound(to: xmlParserCtxt.self).pointee.node?.pointee.ns = nil
            }
        }
        handlers.pointee.processingInstruction = { context, target, data in
            guard let parser = MarkupParser.of(context) else { return }
            guard parser.options.allowsInstructions else {
                return parser.stop(context, "processing instructions are not supported")
            }
            xmlSAX2ProcessingInstruction(context, target, data)
        }
    }

    private func setDeclarationHandlers(_ handlers: UnsafeMutablePointer<xmlSAXHandler>) {
        handlers.pointee.internalSubset = { context, name, external, system in
            guard let parser = MarkupParser.of(context) else { return }
            guard parser.options.allowsDocumentType else {
                return parser.stop(context, "document types are not supported")
            }
            xmlSAX2InternalSubset(context, name, external, system)
        }
        handlers.pointee.entityDecl = { context, _, _, _, _, _ in
            MarkupParser.of(context)?.stop(context, "entity declarations are not supported")
        }
        handlers.pointee.unparsedEntityDecl = { context, _, _, _, _ in
            MarkupParser.of(context)?.stop(context, "entity declarations are not supported")
        }
        handlers.pointee.attributeDecl = { context, _, _, _, _, _, values in
            xmlFreeEnumeration(values)
            MarkupParser.of(context)?.stop(context, "attribute declarations are not supported")
        }
        handlers.pointee.elementDecl = { context, _, _, _ in
            MarkupParser.of(context)?.stop(context, "element declarations are not supported")
        }
        handlers.pointee.notationDecl = { context, _, _, _ in
            MarkupParser.of(context)?.stop(context, "notation declarations are not supported")
        }
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> MarkupParser? {
        context?.assumingMemoryBound(to: xmlParserCtxt.self).pointee._private.map {
            Unmanaged<MarkupParser>.fromOpaque($0).takeUnretainedValue()
        }
    }

    /// Counts an element; false if it exceeds a limit, which stops the parser.
    private func begin(attributeCount: Int, in context: UnsafeMutableRawPointer?) -> Bool {
        elementCount += 1
        let depth = context.map { Int($0.assumingMemoryBound(to: xmlParserCtxt.self).pointee.nodeNr) } ?? 0
        if elementCount > options.elementLimit {
            stop(context, "more than \(options.elementLimit) elements")
        } else if depth >= min(options.depthLimit, MarkupOptions.greatestDepth) {
            stop(
                context,
                "more than \(min(options.depthLimit, MarkupOptions.greatestDepth)) elements within each other"
            )
        } else if attributeCount > options.attributeLimit {
            stop(context, "more than \(options.attributeLimit) attributes of an element")
        }
        return stopped == nil
    }

    private func stop(_ context: UnsafeMutableRawPointer?, _ message: String) {
        guard stopped == nil, let context = context?.assumingMemoryBound(to: xmlParserCtxt.self) else { return }
        let input = context.pointee.input?.pointee
        stopped = MarkupError(message, line: input.map { Int($0.line) }, column: input.map { Int($0.col) })
        xmlStopParser(context)
    }

    private func note(_ error: xmlError) {
        // HTML 4 has no `video` or `section`.
        guard error.level != XML_ERR_WARNING, error.level != XML_ERR_NONE, stopped == nil,
            error.code != Int32(XML_HTML_UNKNOWN_TAG.rawValue)
        else { return }
        let text = error.message.map { String(cString: $0) } ?? "error \(error.code)"
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        let found = MarkupError(
            line,
            line: error.line > 0 ? Int(error.line) : nil,
            column: error.int2 > 0 ? Int(error.int2) : nil
        )
        if error.level == XML_ERR_FATAL, fatal == nil { fatal = found }
        if errors.count < Self.errorLimit { errors.append(found) }
    }

    private func note(_ namespaces: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, count: Int) {
        for number in 0..<count where prefixes.count < Self.prefixLimit {
            guard let prefix = LibXML.string(namespaces?[2 * number]),
                let uri = LibXML.string(namespaces?[2 * number + 1]), prefixes[prefix] == nil
            else { continue }
            prefixes[prefix] = uri
        }
    }
}
