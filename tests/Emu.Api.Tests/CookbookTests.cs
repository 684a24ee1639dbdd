using System.Text.RegularExpressions;

namespace Emu.Api.Tests;

/// <summary>docs/cookbook.md quotes its samples as they are.</summary>
public sealed partial class CookbookTests
{
    [Fact]
    public void Each_recipe_is_quoted_from_the_sample_that_it_links_to()
    {
        var recipes = Recipe().Matches(File.ReadAllText(Path.Combine(Sources.Root, "docs", "cookbook.md")));
        Assert.Equal(18, recipes.Count);
        Assert.All(recipes, recipe =>
        {
            var sample = File.ReadAllText(Path.Combine(Sources.Root, recipe.Groups[1].Value));
            Assert.Contains($"<example>{recipe.Groups[2].Value}</example>", sample);
            Assert.Contains(Trimmed(recipe.Groups[3].Value), Trimmed(sample));
        });
    }

    private static string Trimmed(string text) =>
        string.Join('\n', text.Split('\n').Select(line => line.Trim()).Where(line => line.Length > 0));

    [GeneratedRegex("^\\[(samples/.*?)\\]\\(.*? -- (.*?)`\n\n```csharp\n(.*?)^```$",
        RegexOptions.Multiline | RegexOptions.Singleline)]
    private static partial Regex Recipe();
}
