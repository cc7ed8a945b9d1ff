internal import SegueBase
internal import SegueEvents
internal import SegueFetch
internal import SeguePlaylists

/// Responses to a progressive client's requests.
extension ProgressiveClient {
    /// The minimum duration of media for a measurement.
    private static let measure = Duration.seconds(1)

    /// The number of new bytes after which a connection counts as working.
    private static let progress = 64 << 10

    mutating func handle(
        _ event: FetchEvent,
        _ context: inout StepContext
    ) -> Bool {
        switch event {
        case .response(_, let response):
            do throws(PlaybackError) {
                try receive(response, &context)
            } catch {
                refuse(error, &context)
            }
        case .data(_, let more): receive(more.bytes, &context)
        case .failed(_, let error):
            close(&context)
            lose(LoadFailure(error), &context)
        case .finished: finish(&context)
        }
        return true
    }

    // MARK: Response heads

    private mutating func receive(_ response: FetchResponse, _ context: inout StepContext) throws(PlaybackError) {
        transfer?.serverAddress = response.serverAddress
        guard response.status == 200 || response.status == 206 else {
            transfer?.refusal = PlaybackError(.http, code: response.status, "HTTP \(response.status): \(source.url)")
            return
        }
        if changeRadio({ $0.connect(response, &context) }) != nil { return }
        if response.header("content-type")?.lowercased().contains("ogg") ?? false {
            throw PlaybackError(.media, code: 3, "Ogg files are not supported: \(url)")
        }
        try checkRange(of: response)
        let begin = try served.receive(response, askedFrom: transfer?.askedFrom)
        transfer?.next = begin
        if response.status == 200 { transfer?.isProbe = false }
        if case .opening(let reader, _) = phase, reader.length == nil, reader.next == 0 {
            if let metadata = IcyReader(interval: response.header("icy-metaint")) {
                becomeRadio(metadata: metadata, isRadio: true, &context)
            } else {
                let isRadio = response.headers.contains { $0.name.hasPrefix("icy-") }
                phase = .opening(LayoutReader(length: served.length), isAnnouncedRadio: isRadio)
            }
        }
    }

    private mutating func becomeRadio(metadata: IcyReader?, isRadio: Bool, _ context: inout StepContext) {
        phase = .radio(Radio(from: anchor, metadata: metadata, isRadio: isRadio, &context))
    }

    /// Rejects a response that contradicts earlier ones, without waiting for the rest.
    private mutating func refuse(
        _ error: PlaybackError,
        _ context: inout StepContext
    ) {
        cancel(&context)
        fail(error, &context)
    }

    // MARK: Bytes

    private mutating func receive(
        _ bytes: [UInt8],
        _ context: inout StepContext
    ) {
        guard let offset = transfer?.next else { return }
        transfer?.receive(bytes)
        guard let transfer, transfer.refusal == nil, !transfer.isProbe else { return }
        let range = offset..<offset + Int64(bytes.count)
        switch phase {
        case .opening(var reader, let isRadio):
            parts.append(bytes, at: offset, &context)
            if range.lowerBound > held.upperBound { held = range } else { hold(range) }
            let missing = reader.next - range.lowerBound
            guard missing < bytes.count else { return }
            let answer = reader.take(bytes.dropFirst(Int(max(0, missing))))
            phase = .opening(reader, isAnnouncedRadio: isRadio)
            if let error = rangeError(of: reader) { return refuse(error, &context) }
            receive(answer, &context)
        case .file:
            parts.append(bytes, at: offset, &context)
            hold(range)
        case .radio: play(bytes, &context)
        case .idle, .failed: return
        }
        measure(atLeast: Self.measure, &context)
        checkEnd(&context)
        checkProgress(&context)
    }

    /// Clears earlier failures if the open request makes progress, and cancels it if it has made none for too long.
    private mutating func checkProgress(_ context: inout StepContext) {
        guard let transfer else { return }
        let gained = radio == nil ? held.upperBound - transfer.heldEnd : Int64(transfer.received)
        if gained >= Self.progress { attempts = Attempts() }
        guard let failure = self.transfer?.look(at: context.now, url: source.url) else { return }
        context.cancel(transfer.id)
        close(&context)
        lose(failure, &context)
    }

    /// Adds bytes of a stream.
    private mutating func play(
        _ bytes: [UInt8],
        _ context: inout StepContext
    ) {
        guard let audio = changeRadio({ $0.receive(bytes, &context) }) else { return }
        parts.append(audio, at: parts.end, &context)
        guard let radio else { return }
        if radio.buffer.isJunk {
            refuse(PlaybackError(.media, code: 1, "the stream contains no MP3 or AAC: \(url)"), &context)
        } else if radio.held.upperBound - anchor >= settings.starting.keepUpLeast {
            changeRadio { $0.follow(.enough, &context) }
        }
    }

    /// Records bytes that continue the held part.
    private mutating func hold(_ range: Range<Int64>) {
        guard range.lowerBound <= held.upperBound, range.upperBound > held.upperBound else { return }
        held = held.lowerBound..<range.upperBound
    }

    /// Reads the layout of the file.
    private mutating func receive(
        _ answer: LayoutReader.Answer,
        _ context: inout StepContext
    ) {
        switch answer {
        case .more: break
        case .jump(let offset):
            guard let transfer, served.takesRanges != false else { break }
            if offset < transfer.next || offset - transfer.next > Self.shortWay { cancel(&context) }
        case .found(let layout):
            phase = .file(layout)
            let needed = layout.map.offset(of: min(anchor, layout.duration))
            if needed < held.lowerBound || needed > held.upperBound {
                jump(to: needed, &context)
            } else {
                held = needed..<held.upperBound
            }
        case .endless(_, let start):
            guard case .opening(let reader, let isRadio) = phase else { break }
            becomeRadio(metadata: nil, isRadio: isRadio, &context)
            play(Array(reader.bytes(from: start)), &context)
        case .unusable(let why):
            refuse(PlaybackError(.media, code: 1, "\(why): \(url)"), &context)
        case .foreign(let why):
            refuse(PlaybackError(.media, code: 3, "\(why): \(url)"), &context)
        }
    }

    /// Checks that a complete file contains all announced media.
    private mutating func checkEnd(_ context: inout StepContext) {
        guard let layout, let length = served.length, held.upperBound >= length, length < layout.map.end,
            lateFailure == nil, layout.map.time(of: held, from: anchor) != nil
        else { return }
        let message = "the file ends at byte \(length), but its header declares \(layout.map.end): \(url)"
        fail(PlaybackError(.media, code: 1, message), &context)
    }

    // MARK: Ends

    private mutating func finish(_ context: inout StepContext) {
        guard let transfer else { return }
        measure(atLeast: .zero, &context)
        close(&context)
        if let refusal = transfer.refusal {
            let text = String(validating: transfer.explanation.prefix(300), as: UTF8.self) ?? ""
            let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
            let message = refusal.message + (line.hasPrefix("{") ? " \(line)" : "")
            let error = PlaybackError(refusal.domain, code: refusal.code, message)
            // A missing file is not retried.
            let kind = FailureKind(status: refusal.code, isLive: false).flatMap { $0 == .missing ? nil : $0 }
            return lose(LoadFailure(error, kind), &context)
        }
        if let radio {
            guard !radio.isRadio else {
                let error = PlaybackError(.network, code: -1005, "the server ended the stream: \(url)")
                return lose(LoadFailure(error, .lost), &context)
            }
            changeRadio { $0.end(&context) }
            return
        }
        if transfer.isProbe { return endProbe() }
        served.end(at: transfer.next)
        if let end = transfer.until ?? served.length, transfer.next < end {
            let message = "the response ended at byte \(transfer.next) of \(end): \(url)"
            return lose(
                LoadFailure(PlaybackError(.network, code: -1005, message), .truncated),
                &context
            )
        }
        if case .opening(var reader, let isRadio) = phase, transfer.next >= (served.length ?? 0) {
            let answer = reader.finish()
            phase = .opening(reader, isAnnouncedRadio: isRadio)
            receive(answer, &context)
        }
        checkEnd(&context)
    }

    /// Ends the request, in whatever way.
    private mutating func close(_ context: inout StepContext) {
        guard let transfer else { return }
        handOn(&context)
        context.note(url) { $0.add(answerOf: transfer.received, from: transfer.serverAddress) }
        self.transfer = nil
    }

    /// Handles a failed request: it is retried from where it broke off, according to the profile.
    private mutating func lose(
        _ failure: LoadFailure,
        _ context: inout StepContext
    ) {
        guard attempts.fail(failure, at: context.now, settings) else {
            return fail(failure.error, &context)
        }
        context.record(failure.error, uri: url)
        changeRadio { $0.follow(.lost, &context) }
    }

    private mutating func fail(
        _ error: PlaybackError,
        _ context: inout StepContext
    ) {
        context.record(error, uri: url)
        changeRadio { $0.follow(.failed, &context) }
        if layout == nil, radio == nil { phase = .failed(error) } else { lateFailure = error }
    }
}
