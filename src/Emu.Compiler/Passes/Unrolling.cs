namespace Emu.Compiler;

/// <summary>Writes out loops whose end is decided by constants, iteration by iteration, innermost first.</summary>
internal static class Unrolling
{
    private const int MaxIterations = 256;
    private const int MaxOperations = 20_000;

    public static void Run(Function function)
    {
        var kept = new HashSet<Block>();
        while (Loop.Innermost(function).Find(loop => !kept.Contains(loop.Header)) is { } loop)
        {
            if (new Copy(function, loop).TryUnroll()) Simplification.Run(function);
            else kept.Add(loop.Header);
        }
    }

    /// <summary>A way from a copied block to another, with what the phis there get.</summary>
    private sealed record Edge(Block From, Block To, List<Value> Operands);

    /// <summary>The iterations of one loop, made beside it until it is clear that they end.</summary>
    private sealed class Copy(Function function, Loop loop) : ValueFactory
    {
        private readonly List<Block> _order = [.. function.Blocks().Where(loop.Body.Contains)];
        private readonly Dictionary<Value, Dictionary<Block, Value>> _definitions = new(ReferenceEqualityComparer.Instance);
        private readonly List<Edge> _exits = [];
        private Block _current = function.Entry;
        private int _operations;

        public bool TryUnroll()
        {
            var first = new Block();
            var entries = Outside(loop.Header).Select(p => EdgeOf(p, loop.Header, p, value => value)).ToList();
            var header = first;
            List<Edge>? ways = entries;
            for (var i = 0; ways is { Count: > 0 }; i++)
            {
                if (i == MaxIterations || _operations > MaxOperations) return false;
                var next = new Block();
                ways = Iterate(header, ways, next);
                header = next;
            }
            if (ways is null) return false;
            Replace(entries, first);
            return true;
        }

        protected override Value Intern(Operation operation)
        {
            _current.Operations.Add(operation);
            _operations++;
            return operation;
        }

        private IEnumerable<Block> Outside(Block block) => block.Predecessors.Where(p => !loop.Body.Contains(p));

        private static Edge EdgeOf(Block before, Block to, Block from, Func<Value, Value> of)
        {
            var way = to.Predecessors.IndexOf(before);
            return new Edge(from, to, [.. to.Phis.Select(phi => of(phi.Operands[way]))]);
        }

        /// <summary>One iteration; gives the ways to the next, or null when no constant decided whether there is one.</summary>
        private List<Edge>? Iterate(Block header, List<Edge> entries, Block next)
        {
            var values = new Dictionary<Value, Value>(ReferenceEqualityComparer.Instance);
            var copies = new Dictionary<Block, Block> { [loop.Header] = header };
            var ways = new Dictionary<Block, List<Edge>> { [loop.Header] = entries };
            var again = new List<Edge>();
            var isDecided = false;
            Value Of(Value value) => values.GetValueOrDefault(value, value);
            foreach (var block in _order)
            {
                if (!ways.TryGetValue(block, out var from)) continue;
                _current = copies[block];
                Enter(block, from, values);
                foreach (var operation in block.Operations) Define(operation, CopyOf(operation, Of), values);
                var kept = Kept(block.Terminator!, Of);
                isDecided |= kept is Jump && block.Terminator is Branch && block.Terminator.Successors.Any(s => s == loop.Header || !loop.Body.Contains(s));
                foreach (var successor in kept.Successors)
                {
                    var edge = EdgeOf(block, successor, _current, Of);
                    if (successor == loop.Header) again.Add(edge);
                    else if (!loop.Body.Contains(successor)) _exits.Add(edge);
                    else if (ways.TryGetValue(successor, out var known)) known.Add(edge);
                    else (ways[successor], copies[successor]) = ([edge], new Block());
                }
                _current.Terminator = Targeted(kept, s => s == loop.Header ? next : copies.GetValueOrDefault(s, s));
            }
            return isDecided ? again : null;
        }

        /// <summary>The predecessors and phis of a copy: a phi only where more than one value comes.</summary>
        private void Enter(Block block, List<Edge> ways, Dictionary<Value, Value> values)
        {
            _current.Predecessors.AddRange(ways.Select(way => way.From));
            for (var i = 0; i < block.Phis.Count; i++)
            {
                var value = ways[0].Operands[i];
                if (!ways.TrueForAll(way => Constant.AreSame(way.Operands[i], value)))
                {
                    var phi = new Phi(value.Width, _current);
                    phi.Operands.AddRange(ways.Select(way => way.Operands[i]));
                    _current.Phis.Add(phi);
                    value = phi;
                }
                Define(block.Phis[i], value, values);
            }
        }

        private void Define(Value original, Value copy, Dictionary<Value, Value> values)
        {
            values[original] = copy;
            if (!_definitions.TryGetValue(original, out var all)) _definitions[original] = all = [];
            all[_current] = copy;
        }

        private Value CopyOf(Operation operation, Func<Value, Value> of)
        {
            var copy = new Operation(operation.Opcode, operation.Width, operation.Operands.Select(of))
            {
                Input = operation.Input, Low = operation.Low, State = operation.State, Location = operation.Location,
            };
            return operation.IsEffect || operation.ReadsState ? Intern(copy) : Make(copy);
        }

        private static Terminator Kept(Terminator terminator, Func<Value, Value> of) => terminator switch
        {
            Branch branch when of(branch.Condition) is Constant condition => new Jump(condition.Bits != 0 ? branch.Then : branch.Else),
            Branch branch => branch with { Condition = of(branch.Condition) },
            Return end => new Return(of(end.Start), of(end.Length), of(end.Egress)),
            _ => terminator,
        };

        private static Terminator Targeted(Terminator terminator, Func<Block, Block> copy) => terminator switch
        {
            Jump jump => new Jump(copy(jump.Target)),
            Branch branch => branch with { Then = copy(branch.Then), Else = copy(branch.Else) },
            _ => terminator,
        };

        /// <summary>Leads into the copies instead of the loop, and out of them.</summary>
        private void Replace(List<Edge> entries, Block first)
        {
            foreach (var exit in _exits)
            {
                exit.To.Predecessors.Add(exit.From);
                for (var i = 0; i < exit.Operands.Count; i++) exit.To.Phis[i].Operands.Add(exit.Operands[i]);
            }
            foreach (var block in loop.Body)
            {
                foreach (var exit in block.Terminator!.Successors.Where(s => !loop.Body.Contains(s))) Edges.Remove(block, exit);
            }
            foreach (var entry in entries)
            {
                entry.From.Terminator = Edges.Retarget(entry.From.Terminator!, loop.Header, first);
                Edges.Remove(entry.From, loop.Header);
            }
            Repair();
        }

        /// <summary>What was defined in the loop and is used behind it has several definitions now.</summary>
        private void Repair()
        {
            var variables = new Dictionary<Value, Definitions>(ReferenceEqualityComparer.Instance);
            Definitions Variable(Value value) =>
                variables.TryGetValue(value, out var known) ? known : variables[value] = new Definitions(value.Width, _definitions[value]);

            foreach (var block in function.Blocks())
            {
                foreach (var phi in block.Phis.ToList())
                {
                    for (var i = 0; i < phi.Operands.Count; i++)
                    {
                        if (_definitions.ContainsKey(phi.Operands[i])) phi.Operands[i] = Variable(phi.Operands[i]).AtEnd(block.Predecessors[i]);
                    }
                }
                foreach (var operation in block.Operations)
                {
                    for (var i = 0; i < operation.Operands.Count; i++)
                    {
                        if (_definitions.ContainsKey(operation.Operands[i])) operation.Operands[i] = Variable(operation.Operands[i]).AtStart(block);
                    }
                }
                var known = new Substitution();
                foreach (var value in Verifier.UsedBy(block.Terminator).Where(_definitions.ContainsKey)) known.Add(value, Variable(value).AtStart(block));
                block.Terminator = known.Of(block.Terminator!);
            }
        }
    }
}
