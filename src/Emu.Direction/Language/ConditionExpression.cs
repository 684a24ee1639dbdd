using System.Text.RegularExpressions;

namespace Emu.Direction.Language;

/// <summary>
/// A condition: comparisons and, for each combination of their outcomes, whether it holds. <c>a &gt; b</c> is
/// <c>b &lt; a</c>, <c>a &lt;= 5</c> is <c>a &lt; 6</c>, and so on, so that there are two relations.
/// </summary>
/// <param name="Comparisons">The comparisons, no two alike.</param>
/// <param name="Holds">The outcome, given those of the comparisons.</param>
public sealed partial record ConditionExpression(
    IReadOnlyList<ConditionComparison> Comparisons, Func<Func<int, bool>, bool> Holds)
{
    /// <summary>A condition that always holds.</summary>
    public static ConditionExpression Always { get; } = new([], _ => true);

    /// <summary>Reads a condition: comparisons with <c>and</c>, <c>or</c>, <c>not</c> and parentheses.</summary>
    /// <exception cref="FormatException">It is none; the message says what is wrong.</exception>
    public static ConditionExpression Parse(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        var parser = new Parser([.. Token().Matches(text).Select(match => match.Value)]);
        var holds = parser.ParseOr();
        parser.End();
        return new ConditionExpression(parser.Comparisons, holds);
    }

    /// <summary>
    /// The truth table over a number of comparisons, of which the first are these: bit <i>r</i> has the outcome where
    /// bit <i>i</i> of <i>r</i> is that of comparison <i>i</i>.
    /// </summary>
    public UInt128 TableOf(int comparisons) =>
        Enumerable.Range(0, 1 << comparisons).Where(row => Holds(i => (row >> i & 1) != 0))
            .Aggregate(UInt128.Zero, (table, row) => table | UInt128.One << row);

    [GeneratedRegex(@"\{[^{}]*\}|<=|>=|==|!=|[<>()=]|[^\s<>=!()]+|\S")]
    private static partial Regex Token();

    private sealed class Parser(string[] tokens)
    {
        private int _at;

        public List<ConditionComparison> Comparisons { get; } = [];

        private string Next => _at < tokens.Length ? tokens[_at] : "";

        public Func<Func<int, bool>, bool> ParseOr()
        {
            var left = ParseAnd();
            while (Takes("or"))
            {
                var (first, second) = (left, ParseAnd());
                left = outcomes => first(outcomes) | second(outcomes);
            }
            return left;
        }

        public void End()
        {
            if (_at < tokens.Length) throw new FormatException($"'{Next}' is not expected in a condition");
        }

        private Func<Func<int, bool>, bool> ParseAnd()
        {
            var left = ParseNot();
            while (Takes("and"))
            {
                var (first, second) = (left, ParseNot());
                left = outcomes => first(outcomes) & second(outcomes);
            }
            return left;
        }

        private Func<Func<int, bool>, bool> ParseNot()
        {
            if (Takes("not"))
            {
                var negated = ParseNot();
                return outcomes => !negated(outcomes);
            }
            if (!Takes("(")) return ParseComparison();
            var inner = ParseOr();
            return Takes(")") ? inner : throw new FormatException("a ')' is missing in the condition");
        }

        private Func<Func<int, bool>, bool> ParseComparison()
        {
            var left = ParseSide();
            var relation = Next is "==" or "!=" or "<" or "<=" or ">" or ">=" ? tokens[_at++] : "";
            if (Next == "=") throw new FormatException("'=' sets: a condition compares by '=='");
            // A name alone, such as a Boolean, is one that is not 0.
            return relation.Length == 0
                ? Of("!=", left, new Side(null, DirectionValue.Zero))
                : Of(relation, left, ParseSide());
        }

        private Side ParseSide()
        {
            var text = Next;
            if (text.Length == 0) throw new FormatException("the condition ends too soon");
            _at++;
            if (DirectionValue.TryParse(text) is { } constant) return new Side(null, constant);
            return Name().IsMatch(text) ? new Side(text, null)
                : throw new FormatException($"'{text}' is no name and no constant");
        }

        private Func<Func<int, bool>, bool> Of(string relation, Side left, Side right) => (relation, left.Name) switch
        {
            (_, null) when right.Name is null => throw new FormatException("a comparison of two constants"),
            (_, null) => Of(Mirrored(relation), right, left),
            ("==", _) => Comparison(left, right, isLess: false),
            ("!=", _) => Not(Comparison(left, right, isLess: false)),
            ("<", _) => Comparison(left, right, isLess: true),
            (">=", _) => Not(Comparison(left, right, isLess: true)),
            (">", _) when right.Name is not null => Comparison(right, left, isLess: true),
            ("<=", _) when right.Name is not null => Not(Comparison(right, left, isLess: true)),
            (">", _) => Not(Comparison(left, right.Above(), isLess: true)),
            _ => Comparison(left, right.Above(), isLess: true),
        };

        private static string Mirrored(string relation) => relation switch
        {
            "<" => ">",
            "<=" => ">=",
            ">" => "<",
            ">=" => "<=",
            _ => relation,
        };

        private static Func<Func<int, bool>, bool> Not(Func<Func<int, bool>, bool> holds) =>
            outcomes => !holds(outcomes);

        private Func<Func<int, bool>, bool> Comparison(Side left, Side right, bool isLess)
        {
            var comparison = new ConditionComparison(left.Name!, isLess, right.Name, right.Constant?.InProbe ?? 0);
            var number = Comparisons.IndexOf(comparison);
            if (number < 0)
            {
                number = Comparisons.Count;
                Comparisons.Add(comparison);
            }
            return outcomes => outcomes(number);
        }

        private bool Takes(string word)
        {
            if (Next != word) return false;
            _at++;
            return true;
        }
    }

    private sealed record Side(string? Name, DirectionValue? Constant)
    {
        /// <summary>The constant plus 1.</summary>
        public Side Above() => Constant!.Number == long.MaxValue || Constant.Number == ulong.MaxValue
            ? throw new FormatException($"no number is above {Constant.Number}")
            : new Side(null, new DirectionValue(Constant.Number + 1));
    }

    [GeneratedRegex(@"^([\p{L}_]\w*(\.[\p{L}_]\w*)*|frame\[\d+\])$")]
    private static partial Regex Name();
}
