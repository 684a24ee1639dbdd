namespace Emu.Tool.Tests;

/// <summary><c>emu completion</c>: what a shell offers.</summary>
public sealed class CompletionTests
{
    [Theory]
    [InlineData("emu sim", "simulate")]
    [InlineData("emu run Lear", "LearningSwitch")]
    [InlineData("emu compile TimeS", "TimeServer")]
    [InlineData("emu compile LearningSwitch --devi", "--device")]
    [InlineData("emu compile LearningSwitch --device ultra", "ultrascaleplus")]
    [InlineData("emu board LearningSwitch --board open", "opennic")]
    [InlineData("emu new Mine --template bl", "block")]
    [InlineData("emu completion f", "fish")]
    public void Bash_completes(string line, string expected)
    {
        // As bash calls it: a command of the name, the line, and where the cursor is.
        var script = $"""
            emu() {"{"} dotnet '{Commands.EmuAssembly}' "$@"; {"}"}
            source <(emu completion bash)
            COMP_LINE='{line}' COMP_POINT={line.Length} COMP_WORDS=({line}) COMP_CWORD=$(({line.Split(' ').Length} - 1))
            _emu emu
            printf '%s\n' "${"{"}COMPREPLY[@]{"}"}"
            """;
        Assert.Equal(expected, Commands.Run("bash", "-c", script).Succeeded().Output.Trim());
    }

    [Theory]
    [InlineData("zsh", "compdef _emu emu")]
    [InlineData("fish", "complete -c emu")]
    public void Other_shells_have_a_script_that_asks_the_command(string shell, string words)
    {
        var script = Commands.Emu("completion", shell).Succeeded().Output;
        Assert.Contains(words, script);
        Assert.Contains("[suggest:", script);
        if (!File.Exists($"/usr/bin/{shell}")) return;
        Commands.Run(shell, "-n", "-c", script).Succeeded();
    }

    [Fact]
    public void Fish_completes()
    {
        if (!File.Exists("/usr/bin/fish")) Assert.Skip("needs fish");
        const string Script = """
            function emu; dotnet $EMU $argv; end
            emu completion fish | source
            complete -C 'emu compile TimeS'
            """;
        Assert.Equal(
            "TimeServer",
            Commands.Run("env", $"EMU={Commands.EmuAssembly}", "fish", "-c", Script).Succeeded().Output.Trim());
    }

    [Fact]
    public void An_unknown_shell_is_wrong_use() =>
        Commands.Emu("completion", "sh").Refused(2, "'sh'", "bash, zsh, fish");
}
