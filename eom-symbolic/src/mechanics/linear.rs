//! Linear algebra on matrices of expressions.

use super::closed_forms::omitted::{BLOCK_MAX, Omitted};
use crate::node::ExprId;
use crate::pool::ExprPool;
use crate::simplify::{self, Simplifier};

/// Σ aᵢ·bᵢ.
pub(crate) fn dot(pool: &mut ExprPool, a: &[ExprId], b: &[ExprId]) -> ExprId {
    let products: Vec<ExprId> = a.iter().zip(b).map(|(a, b)| pool.mul(*a, *b)).collect();
    pool.sum_of(&products)
}

/// The columns of a matrix of `count` columns.
pub(crate) fn transposed(matrix: &[Vec<ExprId>], count: usize) -> Vec<Vec<ExprId>> {
    (0..count).map(|column| matrix.iter().map(|row| row[column]).collect()).collect()
}

/// The inverse of a symmetric matrix, each coupled block by its adjugate and determinant.
pub(crate) fn inverse(
    pool: &mut ExprPool,
    matrix: &[Vec<ExprId>],
    simplifier: &mut Simplifier,
) -> Result<Vec<Vec<ExprId>>, Omitted> {
    let n = matrix.len();
    let mut inverse = vec![vec![ExprPool::ZERO; n]; n];
    for block in blocks(matrix) {
        if block.len() > BLOCK_MAX {
            return Err(Omitted::Coupled { count: block.len() });
        }
        let part: Vec<Vec<ExprId>> =
            block.iter().map(|i| block.iter().map(|j| matrix[*i][*j]).collect()).collect();
        let determinant = determinant(pool, &part);
        let determinant = simplifier.simplify(pool, determinant);
        if simplify::is_zero(pool, determinant) == Some(true) {
            return Err(Omitted::Singular);
        }
        for (a, &i) in block.iter().enumerate() {
            for (b, &j) in block.iter().enumerate() {
                let cofactor = cofactor(pool, &part, b, a);
                let entry = pool.div(cofactor, determinant);
                inverse[i][j] = simplifier.simplify(pool, entry);
            }
        }
    }
    Ok(inverse)
}

/// The inverse of a square matrix by its adjugate and determinant; `None` where that is 0
/// everywhere.
pub(crate) fn general_inverse(
    pool: &mut ExprPool,
    matrix: &[Vec<ExprId>],
    simplifier: &mut Simplifier,
) -> Option<Vec<Vec<ExprId>>> {
    let determinant = determinant(pool, matrix);
    let determinant = simplifier.simplify(pool, determinant);
    if simplify::is_zero(pool, determinant) == Some(true) {
        return None;
    }
    let mut entry = |i: usize, j: usize| {
        let cofactor = cofactor(pool, matrix, j, i);
        let entry = pool.div(cofactor, determinant);
        simplifier.simplify(pool, entry)
    };
    let n = matrix.len();
    Some((0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect())
}

/// The sets of rows and of columns that nonzero entries connect.
pub(crate) fn coupled(matrix: &[Vec<ExprId>]) -> Vec<(Vec<usize>, Vec<usize>)> {
    let mut left: Vec<usize> = (0..matrix.len()).collect();
    let mut blocks = Vec::new();
    while let Some(first) = left.first().copied() {
        let (mut rows, mut columns) = (vec![first], Vec::new());
        let mut at = 0;
        while at < rows.len() {
            for (j, entry) in matrix[rows[at]].iter().enumerate() {
                if *entry == ExprPool::ZERO || columns.contains(&j) {
                    continue;
                }
                columns.push(j);
                let joined = left.iter().filter(|i| matrix[**i][j] != ExprPool::ZERO);
                let joined: Vec<usize> = joined.copied().filter(|i| !rows.contains(i)).collect();
                rows.extend(joined);
            }
            at += 1;
        }
        left.retain(|i| !rows.contains(i));
        rows.sort_unstable();
        columns.sort_unstable();
        blocks.push((rows, columns));
    }
    blocks
}

/// The sets of indices that nonzero entries connect.
fn blocks(matrix: &[Vec<ExprId>]) -> Vec<Vec<usize>> {
    let mut left: Vec<usize> = (0..matrix.len()).collect();
    let mut blocks = Vec::new();
    while let Some(first) = left.first().copied() {
        let mut block = vec![first];
        let mut at = 0;
        while at < block.len() {
            let row = &matrix[block[at]];
            let joined =
                left.iter().filter(|j| row[**j] != ExprPool::ZERO && !block.contains(j)).copied();
            let joined: Vec<usize> = joined.collect();
            block.extend(joined);
            at += 1;
        }
        left.retain(|i| !block.contains(i));
        block.sort_unstable();
        blocks.push(block);
    }
    blocks
}

/// det by expansion along the first row; small matrices only.
pub(crate) fn determinant(pool: &mut ExprPool, matrix: &[Vec<ExprId>]) -> ExprId {
    if matrix.is_empty() {
        return ExprPool::ONE;
    }
    let cofactors: Vec<ExprId> = (0..matrix.len()).map(|j| cofactor(pool, matrix, 0, j)).collect();
    dot(pool, &matrix[0], &cofactors)
}

/// (−1)^(i+j)·det of the matrix without row i and column j.
pub(crate) fn cofactor(pool: &mut ExprPool, matrix: &[Vec<ExprId>], i: usize, j: usize) -> ExprId {
    let minor: Vec<Vec<ExprId>> = (0..matrix.len())
        .filter(|row| *row != i)
        .map(|row| (0..matrix.len()).filter(|c| *c != j).map(|c| matrix[row][c]).collect())
        .collect();
    let minor = determinant(pool, &minor);
    if (i + j).is_multiple_of(2) { minor } else { pool.neg(minor) }
}
