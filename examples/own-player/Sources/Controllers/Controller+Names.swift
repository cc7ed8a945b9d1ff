extension Controller {
    /// All of them, by the names of the policies of `Harness/apps` that say the same.
    public static let all: [String: Controller.Type] = [
        "layer-trick": LayerTrick.self,
        "renditions": Renditions.self,
        "switch-and-resume-audio": SwitchAndResumeAudio.self,
        "switch-if-rate": SwitchIfRate.self,
        "switch-if-was-playing": SwitchIfWasPlaying.self,
        "switch-preloaded": SwitchPreloaded.self,
        "switch-when-ready": SwitchWhenReady.self,
    ]
}
