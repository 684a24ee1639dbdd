using System.CommandLine;
using Emu.Hosting;

namespace Emu.Tool;

/// <summary><c>emu completion</c></summary>
internal static class CompletionVerb
{
    private const string Bash = """
        # emu completion bash: source <(emu completion bash)
        _emu() {
            local line=${COMP_LINE#*[[:space:]]} before=${COMP_LINE:0:COMP_POINT} IFS=$'\n'
            before=${before#*[[:space:]]}
            local words=$("$1" "[suggest:$((${#before} + 4))]" "emu $line" 2>/dev/null)
            COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))
        }
        complete -o default -o bashdefault -F _emu emu

        """;

    private const string Zsh = """
        # emu completion zsh: source <(emu completion zsh)
        _emu() {
            local -a found
            local before=${LBUFFER#*[[:space:]]} line=${BUFFER#*[[:space:]]}
            found=("${(@f)$(${words[1]} "[suggest:$((${#before} + 4))]" "emu $line" 2>/dev/null)}")
            compadd -- $found || _files
        }
        compdef _emu emu

        """;

    private const string Fish = """
        # emu completion fish: emu completion fish | source
        function __emu_complete
            set -l line (string replace -r '^\S+\s' '' -- (commandline -cp))
            set -l program (commandline -opc)[1]
            $program "[suggest:"(math (string length -- $line) + 4)"]" "emu $line" 2>/dev/null
        end
        complete -c emu -a '(__emu_complete)'

        """;

    private static readonly (string Shell, string Script)[] s_scripts = [("bash", Bash), ("zsh", Zsh), ("fish", Fish)];

    /// <summary>Makes the verb.</summary>
    public static Command Create()
    {
        var shells = string.Join(", ", s_scripts.Select(one => one.Shell));
        var shell = new Argument<string>("shell") { Description = $"One of {shells}", HelpName = "SHELL" };
        var verb = new Command(
            "completion",
            "Print what makes a shell complete verbs, services and options. "
            + "Example: ./emu completion bash >> ~/.bashrc")
        {
            shell,
        };
        verb.SetAction(parsed =>
        {
            var script = s_scripts.FirstOrDefault(one => one.Shell == parsed.GetValue(shell)).Script
                ?? throw CommandException.Usage($"completion: '{parsed.GetValue(shell)}' is none of {shells}");
            Console.Out.Write(script);
        });
        return verb;
    }
}
